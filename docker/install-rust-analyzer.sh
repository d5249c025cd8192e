#!/bin/sh
# The rust-analyzer and the library sources that belong to the Rust toolchain in use. Needs rustup.
set -eu
rustup component add rust-analyzer rust-src
rust-analyzer --version

#!/bin/sh
# The language servers that tieline installs itself: install-servers.sh TIELINE [NAME...]. They go to TIELINE_SERVERS_DIR
# (else the folder of the user), in the versions of configs/servers.toml. rust-analyzer comes with the Rust toolchain.
set -eu
tieline=${1:?usage: install-servers.sh TIELINE [NAME...]}
shift
[ $# -gt 0 ] || set -- pyright typescript-language-server gopls jdtls
for name in "$@"; do
    "$tieline" servers install "$name"
done

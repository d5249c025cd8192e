#!/bin/sh
# What compiles the hot modules of tieline while it is installed. Runs as root on Debian or Ubuntu; may be repeated.
set -eu
apt-get update --quiet
DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends gcc libc6-dev
rm -rf /var/lib/apt/lists/*

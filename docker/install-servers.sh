#!/bin/sh
# The language servers of the image, in the versions of configs/servers.toml: install-servers.sh TIELINE.
# They go to TIELINE_SERVERS_DIR. May be repeated.
set -eu
tieline=${1:?usage: install-servers.sh TIELINE}
"$tieline" servers install pyright typescript-language-server gopls rust-analyzer jdtls
"$tieline" servers

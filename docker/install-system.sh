#!/bin/sh
# Git (for `tieline changes`) and the user of the image. Runs as root on Debian or Ubuntu; may be repeated.
set -eu
apt-get update --quiet
DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends ca-certificates git
rm -rf /var/lib/apt/lists/*
id tieline >/dev/null 2>&1 || useradd --create-home tieline
# Whatever uid `docker run --user` gives may keep its caches here.
chmod 1777 /home/tieline

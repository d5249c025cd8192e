#!/bin/sh
# Tieline in a virtual environment of its own: install-tieline.sh FOLDER. May be repeated.
set -eu
folder=${1:?usage: install-tieline.sh FOLDER}
source=$(cd "$(dirname "$0")/.." && pwd)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
    --constraint "$source/constraints.txt" "$source"
"$folder/bin/tieline" --version

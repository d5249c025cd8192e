# Tieline with the servers of all five languages and the toolchains that they ask for answers.
#
#   docker build --tag tieline .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/repository" tieline index
#
# Every step is a script of docker/ that also runs outside a container. Versions of Python packages come from
# constraints.txt, of servers from configs/servers.toml, of toolchains from the five arguments below.
ARG PYTHON_IMAGE=python:3.12-slim-bookworm
ARG NODE_IMAGE=node:22-bookworm-slim
ARG GO_IMAGE=golang:1.26-bookworm
ARG RUST_IMAGE=rust:1.95-slim-bookworm
ARG JAVA_IMAGE=eclipse-temurin:21-jdk

FROM ${NODE_IMAGE} AS node
FROM ${GO_IMAGE} AS go
FROM ${JAVA_IMAGE} AS java

FROM ${RUST_IMAGE} AS rust
COPY docker/install-rust-analyzer.sh /docker/
RUN sh /docker/install-rust-analyzer.sh

FROM ${PYTHON_IMAGE} AS toolchains
COPY docker/install-system.sh /docker/
RUN sh /docker/install-system.sh
COPY --from=node /usr/local/bin /opt/node/bin
COPY --from=node /usr/local/lib/node_modules /opt/node/lib/node_modules
COPY --from=go /usr/local/go /usr/local/go
COPY --from=java /opt/java/openjdk /opt/java/openjdk
COPY --from=rust /usr/local/rustup /usr/local/rustup
COPY --from=rust /usr/local/cargo/bin /usr/local/cargo/bin
ENV JAVA_HOME=/opt/java/openjdk \
    RUSTUP_HOME=/usr/local/rustup \
    GOTOOLCHAIN=local \
    TIELINE_SERVERS_DIR=/opt/tieline/servers \
    PATH=/opt/tieline/bin:/usr/local/go/bin:/usr/local/cargo/bin:/opt/java/openjdk/bin:/opt/node/bin:/usr/local/bin:/usr/bin:/bin

FROM toolchains AS build
COPY docker/install-compiler.sh /docker/
RUN sh /docker/install-compiler.sh
COPY . /src
RUN TIELINE_COMPILE=1 sh /src/docker/install-tieline.sh /opt/tieline
RUN sh /src/docker/install-servers.sh /opt/tieline/bin/tieline

FROM toolchains
COPY --from=build /opt/tieline /opt/tieline
# The home of any user that `--user` names: the caches of cargo, go and jdtls live there.
ENV HOME=/home/tieline
USER tieline
WORKDIR /repository
ENTRYPOINT ["tieline"]
CMD ["--help"]

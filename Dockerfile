# syntax=docker/dockerfile:1
# An image that holds the program and nothing else: no shell, no libraries.
#
#   docker build --build-arg DEALS_COMMIT=$(git rev-parse --short=12 HEAD) -t deals .
#   docker run --name deals -p 127.0.0.1:8080:8080 -v deals:/data \
#     -e DEALS_PUBLIC_URL=http://localhost:8080 deals
#   docker exec deals /deals setup-link        # makes you the administrator
#   docker exec -it deals /deals user add asha@example.com --username asha
#
# compose.yml serves it on a domain by https. To pin the images that build it, give them with
# their digests: --build-arg RUST_IMAGE=rust:1.95-bookworm@sha256:… (docker buildx imagetools
# inspect rust:1.95-bookworm prints it).
ARG NODE_IMAGE=node:24-bookworm-slim
ARG RUST_IMAGE=rust:1.95-bookworm
FROM ${NODE_IMAGE} AS node

FROM ${RUST_IMAGE} AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /src
COPY . .
ARG DEALS_COMMIT
ENV DEALS_COMMIT=$DEALS_COMMIT
# The caches keep downloaded and built dependencies between builds.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/root/.npm \
    --mount=type=cache,target=/src/target \
    case "$(uname -m)" in aarch64) cargo static-arm ;; *) cargo static ;; esac \
 && mkdir -p /image/data /image/tmp \
 && cp target/$(uname -m)-unknown-linux-gnu/dist/deals /image/deals \
 && chmod 1777 /image/tmp && chown 10001:10001 /image/data

FROM scratch
ARG DEALS_COMMIT
LABEL org.opencontainers.image.title="deals" \
      org.opencontainers.image.description="A self-hosted site for affiliate product deals" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision=$DEALS_COMMIT
COPY --from=build /image /
USER 10001:10001
VOLUME /data
ENV DEALS_DB=/data/deals.sqlite \
    DEALS_LISTEN=0.0.0.0:8080 \
    DEALS_BACKUP_DIR=/data/backups
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=1m CMD ["/deals", "healthcheck"]
ENTRYPOINT ["/deals"]
CMD ["serve"]

# An image that holds the program and nothing else: no shell, no libraries.
#
#   docker build --build-arg DEALS_COMMIT=$(git rev-parse --short=12 HEAD) -t deals .
#   docker run --name deals -p 127.0.0.1:8080:8080 -v deals:/data deals    (docs/running.md: by https)
#   docker exec deals /deals backup /data/backup.sqlite
FROM node:20-bookworm-slim AS node

FROM rust:1.95-bookworm AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /src
COPY . .
ARG DEALS_COMMIT
ENV DEALS_COMMIT=$DEALS_COMMIT
RUN case "$(uname -m)" in aarch64) cargo static-arm ;; *) cargo static ;; esac \
 && mkdir -p /image/data /image/tmp \
 && cp target/*-unknown-linux-gnu/release/deals /image/deals \
 && chmod 1777 /image/tmp && chown 10001:10001 /image/data

FROM scratch
COPY --from=build /image /
USER 10001:10001
VOLUME /data
ENV DEALS_DB=/data/deals.sqlite \
    DEALS_LISTEN=0.0.0.0:8080 \
    DEALS_BACKUP_DIR=/data/backups
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["/deals", "healthcheck"]
ENTRYPOINT ["/deals"]
CMD ["serve"]

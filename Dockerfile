# Image of the service: docker build --build-arg COMMIT=$(git rev-parse --short=12 HEAD) --tag opzoek .
# Tags can be moved to another image. Pin it by digest: docs/install.md, Pin images.
ARG NODE_IMAGE=node:24.22.3-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY build/node/package.json build/node/
# No package needs its install script to build.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ARG COMMIT=unknown
# npm pack builds first.
RUN mkdir /release && COMMIT="$COMMIT" npm pack --pack-destination /release && tar -xzf /release/opzoek-*.tgz -C /release

FROM ${NODE_IMAGE}
ARG COMMIT=unknown
LABEL org.opencontainers.image.title=opzoek org.opencontainers.image.version=1.1.0 org.opencontainers.image.revision=$COMMIT org.opencontainers.image.licenses=Apache-2.0
COPY --from=build /release/package /opt/opzoek
RUN install --directory --owner=node --group=node --mode=0700 /data
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=/data/compiled
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# Checks that the process answers. Do not restart by /readyz: a process that is not ready recovers by itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/opzoek/bin/opzoek.js"]
CMD ["serve"]

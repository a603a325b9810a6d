# The gateway, the packages that it runs with, and its built console.
# docs/how-to/install-with-a-container.md says how to run it.
FROM denoland/deno:2.8.2 AS build
WORKDIR /app
COPY . .
RUN deno install --quiet && deno task build && deno cache --quiet main.ts serve.ts _fresh/server.js && rm -r /deno-dir/npm && mkdir -m 700 /data

FROM denoland/deno:distroless-2.8.2
COPY --from=build /deno-dir /deno-dir
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /app
USER 65532:65532
ENV HOST=0.0.0.0 PORT=8000 TESSERA_KV=/data/tessera.db
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["/bin/deno", "run", "--no-config", "--no-prompt", "--allow-env=PORT", "--allow-net=127.0.0.1", "tools/ready.ts"]
CMD ["task", "--quiet", "start:installed"]

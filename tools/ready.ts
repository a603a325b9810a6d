/** Exits with 0 if the gateway on this machine is ready, for the health check of a container. */
if (import.meta.main) {
  const port = Deno.env.get("PORT") ?? "8000";
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  Deno.exit(answer?.ok ? 0 : 1);
}

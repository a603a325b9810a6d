/**
 * Exits with 0 if the gateway on this machine is ready, for the health check of a container. Without
 * `fetch`, which would ask a proxy of the environment.
 */
if (import.meta.main) Deno.exit(await isReady(Number(Deno.env.get("PORT") || 8000)) ? 0 : 1);

async function isReady(port: number): Promise<boolean> {
  try {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const request = "GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
    await connection.write(new TextEncoder().encode(request));
    const head = new Uint8Array(64);
    await connection.read(head);
    return new TextDecoder().decode(head).startsWith("HTTP/1.1 200");
  } catch {
    return false;
  }
}

/**
 * Returns the status that a server responds with to a request without a token. Rejects if it does
 * not respond within `waitMs`. The request can be cancelled, unlike the requests of the KV client.
 */
export async function reachServer(url: string, waitMs: number): Promise<number> {
  using client = Deno.createHttpClient({ http1: false, http2: true }); // as the KV client does
  const init: RequestInit & { client: Deno.HttpClient } = {
    client,
    method: "POST",
    body: "{}",
    redirect: "manual",
    signal: AbortSignal.timeout(waitMs),
  };
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}

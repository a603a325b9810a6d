import { GatewayError } from "../canonical/mod.ts";
import { readAll } from "./reply.ts";
import type { Send } from "./send.ts";

/**
 * Fetches a text within bounds, such as a list of prices. Throws a `GatewayError` for an address
 * that does not answer with 200 in time, and for a longer answer.
 */
export async function fetchText(
  url: string,
  { bytesMax, timeoutMs }: { readonly bytesMax: number; readonly timeoutMs: number },
  { send, signal }: { readonly send: Send; readonly signal: AbortSignal },
): Promise<string> {
  const timeouts = {
    connectMs: timeoutMs,
    firstByteMs: timeoutMs,
    idleMs: timeoutMs,
    totalMs: timeoutMs,
  };
  const outbound = { url, origin: "config", method: "GET", headers: {} } as const;
  const answer = await send(outbound, timeouts, signal);
  if (answer.status !== 200) {
    const refused = new GatewayError("upstream_error", `It answered ${answer.status}`);
    answer.cancel(refused);
    throw refused;
  }
  try {
    return new TextDecoder().decode(await readAll(answer, bytesMax));
  } catch (error) {
    if (error instanceof GatewayError) answer.cancel(error);
    throw error;
  }
}

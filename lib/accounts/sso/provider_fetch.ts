import { SsoError } from "./sso_error.ts";

const timeoutMs = 10_000;
/** Far more than a discovery document, a set of keys or the claims of a user need. */
const bytesMax = 1_048_576;

/**
 * Calls a sign-in provider and reads its whole answer. Follows no redirect, which would send the
 * client's secret elsewhere. Throws `SsoError` if the provider cannot be reached, is too slow, fails
 * or sends too much.
 */
export async function providerFetch(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    const body = await wholeBody(response, url);
    const { status } = response;
    if (status >= 500) throw new SsoError("unavailable", `${originOf(url)} answered ${status}`);
    const type = response.headers.get("content-type");
    return new Response(body, { status, headers: type === null ? {} : { "content-type": type } });
  } catch (cause) {
    if (cause instanceof SsoError) throw cause;
    throw new SsoError("unavailable", `Cannot reach ${originOf(url)}`, { cause });
  }
}

/** Null for an empty body, because some statuses allow no other. */
async function wholeBody({ body }: Response, url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > bytesMax) throw new SsoError("invalid", `${originOf(url)} sent too much`);
    chunks.push(chunk);
  }
  if (length === 0) return null;
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The address without its path and query, which may have a code. */
function originOf(url: string): string {
  return new URL(url).origin;
}

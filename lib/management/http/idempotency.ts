import { digest } from "../../canonical/mod.ts";
import {
  beginRequest,
  forgetRequest,
  keepAnswer,
  type RequestMark,
} from "../../store/admin_tokens/mod.ts";
import type { Store } from "../../store/mod.ts";
import { isServerFault, ManagementError } from "./error.ts";

/** The facts of a request that decide whether it repeats another one. */
interface RepeatableRequest {
  readonly request: Request;
  readonly url: URL;
  /** The body as sent. */
  readonly text: string;
  readonly tokenId: string;
}

/** An answer as it is kept. */
interface Kept {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: string;
}

/**
 * Performs a request once: a repetition with the same `Idempotency-Key` within 24 hours gets the
 * same answer. Throws `request_in_progress` or `idempotency_key_reused`. A refused request changed
 * nothing, so its key is free again; after a failure of the gateway nobody knows, so it is not.
 */
export async function answeredOnce(
  facts: RepeatableRequest,
  { store, nowMs }: { readonly store: Store; readonly nowMs: number },
  perform: () => Promise<Response>,
): Promise<Response> {
  const mark = markOf(facts);
  if (mark === undefined) return await perform();
  const known = await beginRequest(store, mark, nowMs);
  if (known.type === "answered") return answerOf(JSON.parse(known.text) as Kept); // `keptText` wrote it
  if (known.type !== "new") throw refusals[known.type]();
  const response = await perform().catch(async (error) => {
    if (!isServerFault(error)) await forgetRequest(store, mark);
    throw error;
  });
  await keepAnswer(store, mark, { text: await keptText(response.clone()), nowMs });
  return response;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

function markOf({ request, url, text, tokenId }: RepeatableRequest): RequestMark | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method !== "POST") return undefined;
  if (!keyPattern.test(key)) {
    const message = "Idempotency-Key must have 1 to 255 visible ASCII characters";
    throw new ManagementError("invalid_request", message, { param: "Idempotency-Key" });
  }
  const requestDigest = digest(`${request.method} ${url.pathname}${url.search}\n${text}`);
  return { tokenId, keyDigest: digest(key), requestDigest };
}

async function keptText(response: Response): Promise<string> {
  const { status, headers } = response;
  const kept: Kept = { status, headers: [...headers], body: await response.text() };
  return JSON.stringify(kept);
}

function answerOf({ status, headers, body }: Kept): Response {
  const replayed = new Headers(headers);
  replayed.set("idempotent-replayed", "true");
  return new Response(status === 204 ? null : body, { status, headers: replayed });
}

const refusals = {
  in_work: () =>
    new ManagementError(
      "request_in_progress",
      "The first request with this Idempotency-Key has no answer yet. Retry in a moment; if this lasts, look whether it took effect, and use another key",
      { headers: { "retry-after": "1" } },
    ),
  other_request: () =>
    new ManagementError(
      "idempotency_key_reused",
      "Another request had this Idempotency-Key in the last 24 hours. Use a new key for a new request",
      { param: "Idempotency-Key" },
    ),
} as const;

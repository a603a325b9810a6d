import { assertEquals } from "@std/assert";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { serveLoopback } from "../fake_upstream.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";

/** A request as an upstream of relayed endpoints saw it. */
export interface SeenBytes {
  readonly path: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

export interface ByteUpstream extends AsyncDisposable {
  readonly base: string;
  readonly seen: SeenBytes[];
}

/** A real server on the loopback that keeps the very bytes that it was sent. */
export function startByteUpstream(
  answer: (seen: SeenBytes) => Response | Promise<Response>,
): ByteUpstream {
  const seen: SeenBytes[] = [];
  const server = serveLoopback(async (request) => {
    const path = new URL(request.url).pathname;
    const { headers, signal } = request;
    const entry = { path, headers, bytes: await request.bytes(), signal };
    seen.push(entry);
    return answer(entry);
  });
  return { ...server, base: `${server.base}/v1`, seen };
}

/** Prices in dollars per million tokens, so that a token of each bucket costs an amount of its own. */
export const price = {
  input: 1,
  output: 2,
  audioInput: 4,
  audioOutput: 8,
  imageInput: 16,
  imageOutput: 32,
  hostedTools: { rerank: 2 },
};

/** An entry of the configuration: it serves `plain`, and `mapped` under another name. */
export function upstreamEntry(id: string, base: string, more: Record<string, unknown> = {}) {
  return {
    id,
    endpoints: { "chat-completions": base },
    apiKeys: ["up-secret"],
    models: ["plain", { id: "mapped", upstreamModel: "real-name" }],
    ...more,
  };
}

/** A gateway before some upstreams, all models priced. */
export function startRelay(
  upstreams: readonly Record<string, unknown>[],
  config: Record<string, unknown> = {},
): Promise<TestGateway> {
  const models = ["plain", "mapped"].map((id) => ({ id, price }));
  return startGateway({ upstreams, models, ...config });
}

export function post(
  gateway: TestGateway,
  path: string,
  body: BodyInit,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(gateway.base + path, {
    method: "POST",
    body,
    ...init,
    headers: {
      authorization: `Bearer ${testKey}`,
      ...(typeof body === "string" && { "content-type": "application/json" }),
      ...init.headers,
    },
  });
}

/** The only call in the log, once it is there. */
export async function onlyRow({ parts }: TestGateway): Promise<RequestLogRow> {
  for (let tries = 0; tries < 100; tries++) {
    const { rows } = await listRequestLogs(parts.store, { limit: 10 });
    if (rows.length > 0) {
      assertEquals(rows.length, 1);
      return rows[0];
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("The call is not in the log");
}

import { assertEquals } from "@std/assert";
import { GatewayError, type LimitState } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { Call } from "../../lib/http/call.ts";
import { errorResponse, limitHeaders } from "../../lib/http/errors.ts";
import { wholeResponse } from "../../lib/http/respond.ts";
import { earlyResponse } from "../../lib/http/stream/early_response.ts";

const request = new Request("http://gateway.test/v1/messages", { method: "POST" });
const call: Call = {
  id: "req_1",
  request,
  url: new URL(request.url),
  codec: codecs.messages,
  endpoint: codecs.messages.endpoints[0],
  wirePath: "/v1/messages",
  startedAtMs: 0,
  startedAt: performance.now(),
  ip: "",
  signal: request.signal,
};
const limitStates: readonly LimitState[] = [
  { name: "key requests per minute", kind: "requests", limit: 60n, remaining: 59n },
];
const settings = {
  sseKeepAliveMs: 60_000,
  notesHeaderBytesMax: 1_024,
  answerTailMs: 1_000,
  readTimeoutMs: 60_000,
};

function rateHeadersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.includes("ratelimit")));
}

const expected = {
  "anthropic-ratelimit-requests-limit": "60",
  "anthropic-ratelimit-requests-remaining": "59",
};

Deno.test("wholeResponse reports the state of the limits, and nothing without limits", () => {
  const answer = {
    type: "whole",
    content: "{}",
    result: { outcome: "completed" },
  } as const;
  const options = { notes: [], limits: settings };
  assertEquals(rateHeadersOf(wholeResponse(call, answer, {}, options)), {});
  const limited = wholeResponse(call, answer, {}, { ...options, limitStates });
  assertEquals(rateHeadersOf(limited), expected);
});

Deno.test("earlyResponse reports the state of the limits", async () => {
  const response = earlyResponse(call, new Promise(() => {}), {
    framing: "sse",
    keepAliveMs: 60_000,
    fail: () => Promise.resolve(),
    limitStates,
  });
  assertEquals(rateHeadersOf(response), expected);
  await response.body?.cancel();
});

Deno.test("errorResponse reports the state of the limits, and only the codec decides on the retry", () => {
  const error = new GatewayError("rate_limit_exceeded", "Slow down", { retryAfterSeconds: 1.2 });
  const headers = limitHeaders(call, limitStates);
  const response = errorResponse(error, call.codec, call.id, { headers });
  assertEquals([response.status, response.headers.get("retry-after")], [429, "2"]);
  assertEquals(response.headers.get("x-should-retry"), null);
  assertEquals(rateHeadersOf(response), expected);
  const final = errorResponse(new GatewayError("invalid_api_key", "No"), call.codec, call.id);
  assertEquals(final.headers.get("x-should-retry"), "false");
  assertEquals(rateHeadersOf(final), {});
});

Deno.test("limitHeaders counts the time to a reset from the call's own clock", () => {
  const { "x-ratelimit-reset-tokens": reset } = limitHeaders(
    { codec: codecs.responses, startedAtMs: 5_000, startedAt: performance.now() + 1_000 },
    [{ name: "", kind: "tokens", remaining: 1n, resetsAtMs: 94_000 }],
  );
  assertEquals(
    reset.slice(0, 2),
    "1m",
    "a minute and a half from the fourth second, less what passed since",
  );
});

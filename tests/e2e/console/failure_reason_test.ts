import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { getRequestLog, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

/** The content of a realistic request: 60 KB of prompts that differ from each other. */
const prompts = Array.from(
  { length: 300 },
  (_, n) =>
    `Paragraph ${n}: the quarterly figures of branch ${n * 7_919} are "secret",\n` +
    `namely ${n * 104_729} euros; tell nobody, not even Ms. Ångström (№ ${
      n * 31
    }). 第${n}段是机密。`,
);
const body = {
  model: "gpt-5-mini",
  messages: prompts.map((content, n) => ({ role: n % 2 ? "assistant" : "user", content })),
  tools: [{ type: "function", function: { name: "look_up", description: prompts[3] } }],
};
const credential = "upstream-credential-0123456789";

interface Answered {
  readonly row: RequestLogRow;
  readonly status: number;
  readonly message: string;
  readonly code: string;
}

async function gatewayTo(
  base: string,
  { format = "chat-completions", keys = [credential] }: {
    readonly format?: FormatName;
    readonly keys?: readonly string[];
  } = {},
) {
  return await startGateway({
    limits: { attemptsMax: 3 },
    upstreams: [{
      id: "openai",
      endpoints: { [format]: base },
      apiKeys: keys,
      models: ["gpt-5-mini"],
    }],
  });
}

async function call(gateway: TestGateway, sent: unknown = body): Promise<Answered> {
  const response = await fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify(sent),
  });
  const text = await response.text();
  const row = await getRequestLog(gateway.parts.store, response.headers.get("x-request-id") ?? "");
  assert(row);
  const line = text.split("\n").findLast((one) => one.includes('"error"')) ?? "";
  const { error: { message, code } } = JSON.parse(line.replace(/^data: /, ""));
  return { row, status: response.status, message, code };
}

Deno.test("an upstream's 500: the row says what it said, the error who failed and what to do", async () => {
  await using upstream = startUpstream(() =>
    Response.json({ error: { message: "The server had an error", type: "server_error" } }, {
      status: 500,
    })
  );
  await using gateway = await gatewayTo(upstream.base);
  const { row, message } = await call(gateway);
  const [attempt] = row.attempts ?? [];
  assertEquals(
    [attempt.status, attempt.errorType, attempt.errorMessage],
    [500, "server_error", "The server had an error"],
  );
  assertEquals(
    message,
    "openai returned 500 (server_error) on both attempts: The server had an error. " +
      "Not charged. Safe to retry.",
  );
});

Deno.test("an upstream's 429 on all attempts: the error does not blame the key", async () => {
  await using upstream = startUpstream(() =>
    Response.json({ error: { message: "Slow down", type: "requests" } }, { status: 429 })
  );
  await using gateway = await gatewayTo(upstream.base, { keys: ["one", "two", "three"] });
  const { message, status } = await call(gateway);
  assertEquals(status, 429);
  assertEquals(
    message,
    "openai rate-limited us (429, requests) on all 3 attempts: Slow down. " +
      "Not charged. Retry later, or add a second upstream for gpt-5-mini.",
  );
  assertEquals(upstream.seen.length, 3);
});

Deno.test("a field that an upstream rejects is named to the caller and in the row", async () => {
  const said = "Unsupported value: 'temperature' does not support 0.2 with this model.";
  await using upstream = startUpstream(() =>
    Response.json({
      error: { message: said, type: "invalid_request_error", code: "unsupported_value" },
    }, { status: 400 })
  );
  await using gateway = await gatewayTo(upstream.base);
  const { row, message } = await call(gateway);
  assertEquals(row.attempts?.[0].errorMessage, said);
  assertEquals(row.attempts?.[0].errorType, "invalid_request_error, unsupported_value");
  assertStringIncludes(message, "openai rejected the request (400, invalid_request_error");
  assertStringIncludes(message, said);
});

Deno.test("a field that the gateway rejects is named in the row", async () => {
  await using gateway = await startGateway();
  const { row, message } = await call(gateway, { model: "tessera-echo", messages: 7 });
  assert(row.errorMessage !== undefined && message.startsWith(row.errorMessage), message);
  assertStringIncludes(row.errorMessage, "messages");
  assertStringIncludes(message, "Not charged.");
});

Deno.test("a stream that breaks off says so: what was delivered is charged", async () => {
  const begun = 'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,' +
    '"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';
  await using upstream = startUpstream(() =>
    new Response(pieces([begun]), { headers: { "content-type": "text/event-stream" } })
  );
  await using gateway = await gatewayTo(upstream.base);
  const { row, message } = await call(gateway, { ...body, stream: true });
  assertEquals(row.outcome, "truncated");
  assertStringIncludes(message, "openai closed the connection in the middle of its answer");
  assert(!message.includes("Safe to retry"), message);
  assert(!message.includes("Not charged"), message);
});

const json = { "content-type": "application/json" };
const failing = (message: unknown, more: Record<string, unknown> = {}) =>
  JSON.stringify({ error: { message, type: "server_error", ...more } });

/** Error texts of hostile upstreams, made from the request's body. */
const hostile: Readonly<Record<string, (sent: string) => string>> = {
  "the whole body as text": (sent) => sent,
  "the whole body as its message": (sent) => failing(sent),
  "every prompt joined": () => failing(prompts.join(" ")),
  "one prompt between its own words": () => failing(`Refused because of ${prompts[17]} as it is`),
  "one prompt in capitals": () => failing(prompts[11].toUpperCase()),
  "one prompt escaped twice": () => failing(JSON.stringify(JSON.stringify(prompts[23]))),
  "a prompt as its type and code": () => failing("No", { type: prompts[5], code: prompts[6] }),
  "the credential": () =>
    failing(`Incorrect API key provided: ${credential}. Bearer ${credential}`),
  "the credential as its type": () => failing("No", { type: credential, code: credential }),
  "another's key": () =>
    failing("key sk-proj-AbCdEf0123456789AbCdEf and AIzaSyA0123456789abcdefghij"),
  "a page for browsers": () =>
    `<!doctype html><html><body><h1>502 ${prompts[1]}</h1></body></html>`,
  "HTML in its message": () => failing(`<script>alert(1)</script><b onclick=x>bad</b> gateway`),
  "1 MB of text": () => failing("x y z ".repeat(180_000)),
  "1 MB that is no JSON": () => "no json ".repeat(130_000),
  "control characters": () => failing("a\u0000b\u001b[31mred\u202eevil\u2028line\r\nnext\ud800"),
  "no text": () => failing({ deep: [prompts[2]] }),
};

const letters = /[\p{L}\p{N}]/gu;

/** Returns the first 20 characters of a prompt that a text quotes, ignoring case. */
function quotes(text: string): string | undefined {
  const lower = text.toLowerCase();
  for (const prompt of prompts) {
    const said = prompt.toLowerCase();
    for (let at = 0; at + 20 <= said.length; at++) {
      const run = said.slice(at, at + 20);
      if (lower.includes(run)) return run;
    }
  }
}

for (const [name, answer] of Object.entries(hostile)) {
  Deno.test(`a row keeps no prompt and no credential of an upstream that says ${name}`, async () => {
    await using upstream = startUpstream(({ body }) =>
      new Response(answer(body), { status: 500, headers: json })
    );
    await using gateway = await gatewayTo(upstream.base);
    const { row, code } = await call(gateway);
    assertEquals([code, row.attempts?.length], ["upstream_error", 2]);
    const [{ errorMessage: message = "", errorType = "" }, second] = row.attempts ?? [];
    assertEquals([second.errorMessage ?? "", second.errorType ?? ""], [message, errorType]);
    const kept = `${message} ${errorType} ${row.errorMessage ?? ""}`;
    assertEquals(quotes(kept), undefined, kept);
    assert(message.length <= 300 && errorType.length <= 130, kept);
    assert(!kept.includes(credential) && !/sk-proj-A|AIzaSy/.test(kept), kept);
    assert(message.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]/u.test(kept), kept);
    assertEquals(row.attempts?.[0].status, 500);
    if (name === "one prompt between its own words") {
      assertStringIncludes(message, "Refused because of");
    }
    if (name === "HTML in its message") assertStringIncludes(message, "gateway");
    assert(name !== "1 MB of text" || (message.match(letters) ?? []).length > 90);
  });
}

import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../lib/canonical/mod.ts";
import { listAllowances } from "../../lib/store/money/mod.ts";
import { until } from "../waiting.ts";
import { startUpstream } from "./fake_upstream.ts";
import { startGateway, type TestGateway } from "./gateway.ts";
import { streaming } from "./interruptions/interrupted_call.ts";
import { ofSize } from "./load/sized_body.ts";
import { withStoreFolder } from "./money/place.ts";
import { testOnSharedStores } from "./money/shared_store.ts";
import { type ServerProcess, startServer } from "./server_process.ts";
import { codeIn } from "../formats/error_code.ts";

/** Limits of keys and groups as callers meet them, in the caller's own format. */

const secret = "sk-limits-0123456789abcdefghij";
const other = "sk-others-0123456789abcdefghij";

const calls = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "tessera-echo", messages: [{ role: "user", content: "hi" }] },
  },
  responses: { path: "/v1/responses", body: { model: "tessera-echo", input: "hi" } },
  messages: {
    path: "/v1/messages",
    body: { model: "tessera-echo", max_tokens: 99, messages: [{ role: "user", content: "hi" }] },
  },
  "generate-content": {
    path: "/v1beta/models/tessera-echo:generateContent",
    body: { contents: [{ parts: [{ text: "hi" }] }] },
  },
} as const satisfies Record<FormatName, { path: string; body: unknown }>;

/** The header of the remaining requests, in the formats that have one. */
const remainingHeader = {
  "chat-completions": "x-ratelimit-remaining-requests",
  responses: "x-ratelimit-remaining-requests",
  messages: "anthropic-ratelimit-requests-remaining",
  "generate-content": undefined,
} as const satisfies Record<FormatName, string | undefined>;

async function call(base: string, format: FormatName, more: object = {}, key = secret) {
  const { path, body } = calls[format];
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, ...more }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function limited(fields: object, more: object = {}): Promise<TestGateway> {
  return startGateway({ keys: [{ name: "limited", value: secret, ...fields }], ...more });
}

/** Waits for the next minute if little of this one is left: a new minute resets the limits. */
async function inOneMinute(): Promise<void> {
  const leftMs = 60_000 - Date.now() % 60_000;
  if (leftMs < 5_000) await new Promise((resolve) => setTimeout(resolve, leftMs));
}

for (const format of formatNames) {
  Deno.test(`${format}: requests per minute, counted down and refused with 429`, async () => {
    await using gateway = await limited({ limits: { requestsPerMinute: 3 } });
    await inOneMinute();
    for (const remaining of ["2", "1", "0"]) {
      const { status, headers } = await call(gateway.base, format);
      assertEquals(status, 200);
      const header = remainingHeader[format];
      if (header) assertEquals(headers.get(header), remaining);
    }
    const { status, headers, body } = await call(gateway.base, format);
    const code = codeIn(format, body.error, status);
    assertEquals([status, code], [429, "rate_limit_exceeded"]);
    assert(/key requests per minute/.test(body.error.message), body.error.message);
    const seconds = Number(headers.get("retry-after"));
    assert(seconds >= 1 && seconds <= 60, `${seconds}`);
  });

  Deno.test(`${format}: requests in any five hours, refused with 429 that no client waits for`, async () => {
    const limits = {
      requestsPerWindow: { "5h": 3, "7d": 900 },
      tokensPerWindow: { "24h": 100_000 },
    };
    await using gateway = await limited({ limits });
    for (const remaining of ["2", "1", "0"]) {
      const { status, headers } = await call(gateway.base, format);
      assertEquals(status, 200);
      const header = remainingHeader[format];
      if (header) assertEquals(headers.get(header), remaining);
    }
    const { status, headers, body } = await call(gateway.base, format);
    const code = codeIn(format, body.error, status);
    assertEquals([status, code], [429, "rate_limit_exceeded"]);
    assertEquals([headers.get("retry-after"), headers.get("x-should-retry")], [null, "false"]);
    const { message, limit } = body.error;
    const words =
      /0 of 3 key requests in 5 hours remain\. Not charged\. Try again on [A-Z][a-z]{2} \d+ at \d\d:\d\d UTC, in \d+ hours/;
    assert(words.test(message), message);
    const resetsInMs = Date.parse(limit.resets_at) - Date.now();
    assert(resetsInMs > 4.9 * 3_600_000 && resetsInMs < 5.2 * 3_600_000, limit.resets_at);
  });

  Deno.test(`${format}: a budget that is used up is refused with 402 and says when it resets`, async () => {
    await using gateway = await limited({ budget: { usd: 0.01, period: "day" } }, {
      models: [{ id: "tessera-echo", price: { input: 100, output: 100 } }],
    });
    let answer = await call(gateway.base, format);
    for (let n = 0; n < 20 && answer.status === 200; n++) answer = await call(gateway.base, format);
    const { status, headers, body } = answer;
    const code = codeIn(format, body.error, status);
    assertEquals([status, code], [402, "insufficient_quota"]);
    assert(/key daily budget of \$0\.01/.test(body.error.message), body.error.message);
    assert(
      /resets on [A-Z][a-z]{2} \d+ at 00:00 UTC, in \d/.test(body.error.message),
      body.error.message,
    );
    assert(Number(headers.get("retry-after") ?? 1) <= 60);
  });

  Deno.test(`${format}: concurrent requests`, async () => {
    await using gateway = await limited({ limits: { concurrency: 2 } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(gateway.base, format, { model: "tessera-echo" })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    assert(answers.some(({ status }) => status === 200));
    for (const { body } of refused) assert(/key concurrency/.test(body.error.message));
    assertEquals((await call(gateway.base, format)).status, 200);
  });
}

Deno.test("a caller that leaves frees its place before its usage is stored, for this isolate and others", async () => {
  const key = { name: "limited", value: secret, limits: { concurrency: 1 } };
  await using upstream = startUpstream(() => streaming(["data: {}\n\n"], false));
  await using gateway = await startGateway({
    keys: [key],
    upstreams: [{ id: "up", endpoints: { "chat-completions": upstream.base }, models: ["m"] }],
  });
  const { ledger } = gateway.parts.gateway;
  const settling = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const settle = ledger.settle.bind(ledger);
  ledger.settle = async (...ended) => {
    settling.resolve();
    await stored.promise;
    return await settle(...ended);
  };
  const leaving = new AbortController();
  const request = { model: "m", stream: true, messages: [] };
  const callLarge = () =>
    fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(ofSize("chat-completions", request, 20_000)),
      signal: leaving.signal,
    });
  await (await callLarge()).body?.cancel();
  await settling.promise;
  assertEquals((await listAllowances(gateway.parts.store)).map(({ allotted }) => allotted), [0n]);
  const again = callLarge().catch(() => {});
  await until(() => upstream.seen.length === 2, "the next call was refused");
  stored.resolve();
  leaving.abort();
  await again;
});

Deno.test("tokens per minute bound what a key uses, and what it used comes back as a number", async () => {
  await using gateway = await limited({ limits: { tokensPerMinute: 2_000 } });
  await inOneMinute();
  const first = await call(gateway.base, "chat-completions", { max_tokens: 100 });
  assertEquals(first.status, 200);
  assertEquals(first.headers.get("x-ratelimit-limit-tokens"), "2000");
  const long = "word ".repeat(500);
  const messages = [{ role: "user", content: long }];
  for (let n = 0; n < 2; n++) { // the second begins with what is left, and uses more
    assertEquals((await call(gateway.base, "chat-completions", { messages })).status, 200);
  }
  const { status, body } = await call(gateway.base, "chat-completions", { messages });
  assertEquals(status, 429);
  assert(/key tokens per minute/.test(body.error.message), body.error.message);
});

Deno.test("a group's limit binds all its keys together", async () => {
  await using gateway = await startGateway({
    groups: [{ id: "team", limits: { requestsPerMinute: 4 } }],
    keys: [
      { name: "one", value: secret, group: "team" },
      { name: "two", value: other, group: "team" },
    ],
  });
  await inOneMinute();
  const statuses: number[] = [];
  for (const key of [secret, other, secret, other, secret, other]) {
    statuses.push((await call(gateway.base, "messages", {}, key)).status);
  }
  assertEquals(statuses, [200, 200, 200, 200, 429, 429]);
});

Deno.test("counting tokens does not eat the limit of requests", async () => {
  await using gateway = await limited({ limits: { requestsPerMinute: 2 } });
  await inOneMinute();
  for (let n = 0; n < 5; n++) {
    const response = await fetch(`${gateway.base}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { "x-api-key": secret, "content-type": "application/json" },
      body: JSON.stringify(calls.messages.body),
    });
    assertEquals(response.status, 200);
    await response.body?.cancel();
  }
  assertEquals((await call(gateway.base, "messages")).status, 200);
});

Deno.test("a model without a price is refused where money bounds the key, unless its group allows it", async () => {
  const upstreams = [{ id: "up", endpoints: { messages: "http://127.0.0.1:9" }, models: ["free"] }];
  const keys = [{ name: "k", value: secret, budget: { usd: 1, period: "total" }, group: "g" }];
  for (const allowUnpriced of [undefined, false, true]) {
    await using gateway = await startGateway({
      upstreams,
      keys,
      groups: [{ id: "g", ...(allowUnpriced !== undefined && { allowUnpriced }) }],
    });
    const { status, body } = await call(gateway.base, "messages", { model: "free" });
    if (allowUnpriced) assertEquals(status, 502);
    else assertEquals([status, body.error.code], [403, "model_unpriced"]);
  }
});

Deno.test("requests per minute are the same for two isolates of one process", () =>
  withStoreFolder(async (folder) => {
    const server = await startServer(folder, { config: perMinute, isolates: 2 });
    await assertPerMinute([server]);
  }));

testOnSharedStores(
  (kind) => `requests per minute are the same for two processes on ${kind}`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      const options = { config: perMinute, env: kv.env };
      await assertPerMinute(
        await Promise.all([1, 2].map((n) => startServer(folder, { ...options, name: `${n}` }))),
      );
    }),
);

const perMinute = {
  keys: [{ name: "limited", value: secret, limits: { requestsPerMinute: 40 } }],
};

async function assertPerMinute(servers: readonly ServerProcess[]): Promise<void> {
  await inOneMinute();
  const answers = await Promise.all(
    Array.from(
      { length: 120 },
      (_, n) => call(servers[n % servers.length].base, "chat-completions"),
    ),
  );
  assertEquals(answers.filter(({ status }) => status === 200).length, 40);
  assertEquals(answers.filter(({ status }) => status === 429).length, 80);
  for (const server of servers) await server.kill();
}

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import type { FakeUpstream } from "../fake_upstream.ts";
import { allRows } from "../faults/settled.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";
import { alternativesIn, limitIn, startLimitedUpstream } from "./limited_upstream.ts";
import { type Asked, pathOf, requestOf } from "./long_request.ts";

/** No call uses more than is left: the limit of its answer is what the rest pays for. */

/** In USD per million tokens. */
const price = { input: 1, output: 50 };
const centsNanoUsd = 60_000_000n;

interface Scene {
  readonly upstream: FakeUpstream;
  readonly formats?: readonly FormatName[];
  readonly usd?: number;
  readonly model?: Record<string, unknown>;
}

function startScene({ upstream, formats, usd = 0.06, model = {} }: Scene): Promise<TestGateway> {
  return startGateway({
    upstreams: [{ id: "paid", endpoints: endpointsOf(upstream, formats), models: ["paid"] }],
    models: [{ id: "paid", price, ...model }],
    keys: [{ name: "test", value: testKey, budget: { usd, period: "total" } }],
  });
}

function endpointsOf({ base }: FakeUpstream, formats: readonly FormatName[] = formatNames) {
  const all = {
    "chat-completions": `${base}/v1`,
    responses: `${base}/v1`,
    messages: base,
    "generate-content": `${base}/v1beta`,
  };
  return Object.fromEntries(formats.map((format) => [format, all[format]]));
}

async function ask({ base }: TestGateway, asked: Asked, headers: HeadersInit = {}) {
  const response = await fetch(base + pathOf(asked), {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, ...headers },
    body: requestOf(asked),
  });
  return {
    status: response.status,
    notes: response.headers.get("tessera-notes") ?? "",
    text: await response.text(),
  };
}

/** The cost of all calls of the test, charged or not. */
async function usedBy(gateway: TestGateway): Promise<bigint> {
  const rows = await rowsOf(gateway);
  return rows.reduce(
    (sum, { costNanoUsd = 0n, uncoveredNanoUsd = 0n }) => sum + costNanoUsd + uncoveredNanoUsd,
    0n,
  );
}

async function rowsOf(gateway: TestGateway): Promise<readonly RequestLogRow[]> {
  await compactRows(gateway.parts.store);
  assertEquals((await auditStore(gateway.parts.store)).differences, []);
  return await allRows(gateway);
}

const others: Record<FormatName, FormatName> = {
  "chat-completions": "messages",
  messages: "responses",
  responses: "generate-content",
  "generate-content": "chat-completions",
};

for (const format of formatNames) {
  for (const upstreamFormat of [format, others[format]]) {
    for (const stream of [false, true]) {
      for (const maxTokens of [100_000, undefined]) {
        if (format === "messages" && maxTokens === undefined) continue; // its callers must state a limit
        const limit = maxTokens ? "a limit of 100,000" : "no limit";
        Deno.test(`overdraw: ${format} to ${upstreamFormat}, ${stream ? "streamed" : "whole"}, ${limit}: $0.06 pays for all of it`, async () => {
          await using upstream = startLimitedUpstream({ wants: 20_000 });
          await using gateway = await startScene({ upstream, formats: [upstreamFormat] });
          const answer = await ask(gateway, { format, stream, maxTokens });
          assertEquals(answer.status, 200, answer.text.slice(0, 300));
          const [{ body }] = upstream.seen;
          const sent = limitIn(body) ?? Infinity;
          assert(sent < 1_200, `the upstream may write ${sent} tokens`);
          assert(sent > 100, `only ${sent} tokens`);
          const used = await usedBy(gateway);
          assert(used <= centsNanoUsd, `${used} nano-dollars were used`);
          assertStringIncludes(answer.notes, "limits.maxOutputTokens clamped");
        });
      }
    }
  }
}

Deno.test("overdraw: a history of 400 KB is paid for, and the rest pays for the answer", async () => {
  for (const format of formatNames) {
    for (const to of [format, others[format]]) {
      await using upstream = startLimitedUpstream({ wants: 20_000 });
      await using gateway = await startScene({ upstream, formats: [to], usd: 0.25 });
      const asked = { format, stream: true, maxTokens: 100_000, copies: 20 };
      assert(requestOf(asked).length > 400_000);
      const answer = await ask(gateway, asked);
      assertEquals(answer.status, 200, answer.text.slice(0, 300));
      const limit = limitIn(upstream.seen[0].body) ?? Infinity;
      assert(limit > 500 && limit < 5_000, `the upstream may write ${limit} tokens`);
      const used = await usedBy(gateway);
      assert(used <= 250_000_000n, `${used} nano-dollars were used`);
    }
  }
});

Deno.test("overdraw: only the number changes in a body that passes through", async () => {
  for (const format of formatNames) {
    await using upstream = startLimitedUpstream({ wants: 50 });
    await using gateway = await startScene({ upstream });
    const asked = { format, stream: false, maxTokens: 100_000 };
    assertEquals((await ask(gateway, asked)).status, 200);
    const [{ body }] = upstream.seen;
    const limit = limitIn(body);
    assert(limit !== undefined && limit < 1_200);
    assertEquals(
      body,
      requestOf(asked).replace(/: ?100000/, (said) => said.replace("100000", String(limit))),
    );
  }
});

Deno.test("overdraw: a caller keeps the name by which it states its limit", async () => {
  for (const name of ["max_tokens", "max_completion_tokens"]) {
    await using upstream = startLimitedUpstream({ wants: 50 });
    await using gateway = await startScene({ upstream });
    const text = requestOf({ format: "chat-completions", stream: false, maxTokens: 100_000 })
      .replace("max_completion_tokens", name);
    const response = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}` },
      body: text,
    });
    await response.body?.cancel();
    const members = Object.keys(JSON.parse(upstream.seen[0].body));
    assertEquals(members.filter((member) => member.startsWith("max_")), [name]);
  }
});

for (const format of ["chat-completions", "generate-content"] as const) {
  Deno.test(`overdraw: ${format}: three alternatives share what is left`, async () => {
    await using upstream = startLimitedUpstream({ wants: 20_000 });
    await using gateway = await startScene({ upstream });
    const answer = await ask(gateway, {
      format,
      stream: false,
      maxTokens: 100_000,
      alternatives: 3,
    });
    assertEquals(answer.status, 200, answer.text.slice(0, 300));
    const [{ body }] = upstream.seen;
    assertEquals(alternativesIn(body), 3);
    assert((limitIn(body) ?? Infinity) * 3 < 1_200);
    assert(await usedBy(gateway) <= centsNanoUsd);
  });
}

Deno.test("overdraw: a strict caller is refused instead, and nothing is sent", async () => {
  await using upstream = startLimitedUpstream({ wants: 20_000 });
  await using gateway = await startScene({ upstream });
  for (const format of formatNames) {
    const asked = { format, stream: false, maxTokens: 100_000 };
    const { status, text } = await ask(gateway, asked, { "tessera-strict": "true" });
    assertEquals(status, 400);
    assertStringIncludes(text, "limits.maxOutputTokens");
  }
  assertEquals(upstream.seen.length, 0);
});

Deno.test("overdraw: a rest that pays for no useful answer is refused, and the refusal says what the call needs", async () => {
  await using upstream = startLimitedUpstream({ wants: 20_000 });
  await using gateway = await startScene({ upstream, usd: 0.008 });
  for (const format of formatNames) {
    const { status, text } = await ask(gateway, { format, stream: false, maxTokens: 100_000 });
    assertEquals(status, 402, text);
    assertStringIncludes(text, "needs at least $0.0");
  }
  assertEquals(upstream.seen.length, 0);
});

const thinkers = ["messages", "generate-content", "chat-completions"] as const;
for (const format of thinkers) {
  Deno.test(`overdraw: ${format}: a limit below the thinking budget is refused, not sent`, async () => {
    await using upstream = startLimitedUpstream({ wants: 20_000 });
    await using gateway = await startScene({ upstream });
    const thinking = { format, stream: false, maxTokens: 100_000, thinkingTokens: 4_096 };
    const { status, text } = await ask(gateway, thinking);
    assertEquals(status, 402, text);
    assertEquals(upstream.seen.length, 0);
    const enough = await ask(gateway, { ...thinking, thinkingTokens: 512 });
    assertEquals(enough.status, 200, enough.text.slice(0, 300));
    assert((limitIn(upstream.seen[0].body) ?? 0) > 512);
  });
}

Deno.test("overdraw: an upstream that ignores its limit is never charged beyond what is left", async () => {
  for (const stream of [false, true]) {
    await using upstream = startLimitedUpstream({ wants: 20_000, ignores: true });
    await using gateway = await startScene({ upstream });
    const { status } = await ask(gateway, { format: "messages", stream, maxTokens: 100_000 });
    assertEquals(status, 200);
    const [row] = await rowsOf(gateway);
    assertEquals(row.costNanoUsd, centsNanoUsd);
    assert((row.uncoveredNanoUsd ?? 0n) > 900_000_000n, `${row.uncoveredNanoUsd}`);
  }
});

Deno.test("overdraw: 40 parallel calls on $1 use no more than $1", async () => {
  await using upstream = startLimitedUpstream({ wants: 3_000 });
  await using gateway = await startScene({ upstream, usd: 1 });
  for (const maxTokens of [undefined, 8_000]) {
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        (_, at) => ask(gateway, { format: "chat-completions", stream: at % 2 === 0, maxTokens }),
      ),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    assert(statuses.has(200) || maxTokens !== undefined, `${[...statuses]}`);
  }
  const used = await usedBy(gateway);
  assert(used <= 1_000_000_000n, `${used} nano-dollars were used`);
  assert(used > 900_000_000n, `only ${used} nano-dollars were used`);
});

Deno.test("overdraw: a rich caller's body stays as it came", async () => {
  await using upstream = startLimitedUpstream({ wants: 50 });
  await using gateway = await startScene({ upstream, usd: 1_000 });
  for (const format of formatNames) {
    for (const maxTokens of [8_000, undefined]) {
      if (format === "messages" && maxTokens === undefined) continue;
      const asked = { format, stream: false, maxTokens };
      const { status, notes } = await ask(gateway, asked);
      assertEquals([status, notes], [200, ""]);
      assertEquals(upstream.seen.at(-1)?.body, requestOf(asked));
    }
  }
});

Deno.test("overdraw: the dearest candidate that may be tried decides the limit", async () => {
  await using cheap = startLimitedUpstream({ wants: 20_000 });
  await using dear = startLimitedUpstream({ wants: 20_000 });
  await cheap[Symbol.asyncDispose](); // refuses the connection
  await using gateway = await startGateway({
    upstreams: [
      {
        id: "cheap",
        endpoints: { messages: cheap.base },
        models: [{ id: "paid", upstreamModel: "cheap-one" }],
        priority: 0,
      },
      {
        id: "dear",
        endpoints: { messages: dear.base },
        models: [{ id: "paid", upstreamModel: "dear-one" }],
        priority: 1,
      },
    ],
    models: [
      { id: "cheap-one", price: { input: 1, output: 5 } },
      { id: "dear-one", price },
    ],
    keys: [{ name: "test", value: testKey, budget: { usd: 0.06, period: "total" } }],
  });
  const { status, text } = await ask(gateway, {
    format: "messages",
    stream: false,
    maxTokens: 100_000,
  });
  assertEquals(status, 200, text.slice(0, 300));
  const limit = limitIn(dear.seen[0].body) ?? Infinity;
  assert(limit < 1_200, `the upstream may write ${limit} tokens`);
  const [row] = await rowsOf(gateway);
  const stated = BigInt(row.usage?.outputTokens ?? 0) * 50_000n;
  assert((row.costNanoUsd ?? 0n) > stated, `${row.costNanoUsd} is the price of the other one`);
});

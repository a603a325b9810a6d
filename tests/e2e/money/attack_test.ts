import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { listIsolates } from "../../../lib/store/isolates/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { getBalance, leasedOf, listAllowances, walletId } from "../../../lib/store/money/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import {
  callNanoUsd,
  callPaid,
  paidConfig,
  paidModel,
  startPaidUpstream,
} from "./paid_upstream.ts";
import { makeWallet, walletAccountId, walletKey } from "./wallet.ts";

/** Attempts of callers and upstreams to get more than was paid for. */

/** No account is below zero, and everything adds up to the nano-dollar. */
async function assertHonest(store: Store): Promise<RequestLogRow[]> {
  const audit = await auditStore(store);
  assertEquals(audit.differences, []);
  const { balanceNanoUsd } = await getBalance(store, walletAccountId);
  assert(balanceNanoUsd >= 0n, `${balanceNanoUsd}`);
  const rows: RequestLogRow[] = [];
  for await (const row of allRows(store)) rows.push(row);
  return rows;
}

async function withWallet(
  { upstream, config = {}, nanoUsd }: {
    readonly upstream: { readonly base: string };
    readonly config?: Record<string, unknown>;
    readonly nanoUsd: bigint;
  },
  run: (gateway: TestGateway) => Promise<void>,
): Promise<RequestLogRow[]> {
  await using gateway = await startGateway({
    upstreams: [{
      id: "paid",
      endpoints: { "chat-completions": `${upstream.base}/v1`, messages: upstream.base },
      models: ["paid"],
    }],
    models: [paidModel],
    ...config,
  });
  const { store } = gateway.parts;
  await makeWallet(store, nanoUsd);
  await run(gateway);
  await compactRows(store);
  return await assertHonest(store);
}

async function post(base: string, path: string, body: unknown, signal?: AbortSignal) {
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${walletKey}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
  return { status: response.status, text: await response.text() };
}

const messages = [{ role: "user", content: "How many planets are there?" }];
const chat = (fields: object) => ({ model: "paid", messages, ...fields });

/** Counts that no honest upstream states, as JSON text. */
const lies = [
  "-1000000000",
  "1e308",
  "1e999",
  '"12"',
  "null",
  "{}",
  "[7]",
  "true",
  "0.5",
  "-1e308",
];

for (const stream of [false, true]) {
  Deno.test(`lying usage, ${stream ? "streamed" : "whole"}: no wallet grows or falls below zero`, async () => {
    let call = 0;
    await using upstream = startUpstream(() => {
      const lie = lies[call++ % lies.length];
      const usage = `{"prompt_tokens":${lie},"completion_tokens":${lie},"total_tokens":${lie},` +
        `"prompt_tokens_details":{"cached_tokens":${lie},"audio_tokens":${lie}},` +
        `"completion_tokens_details":{"reasoning_tokens":${lie}}}`;
      if (!stream) {
        return new Response(
          `{"id":"1","object":"chat.completion","created":1,"model":"paid","choices":[{"index":0,` +
            `"message":{"role":"assistant","content":"Nine."},"finish_reason":"stop"}],"usage":${usage}}`,
          { headers: { "content-type": "application/json" } },
        );
      }
      const chunk = (rest: string) =>
        `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"paid",${rest}}\n\n`;
      return new Response(
        chunk(`"choices":[{"index":0,"delta":{"role":"assistant","content":"Nine."}}]`) +
          chunk(`"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]`) +
          chunk(`"choices":[],"usage":${usage}`) + "data: [DONE]\n\n",
        { headers: { "content-type": "text/event-stream" } },
      );
    });
    const nanoUsd = 10_000_000_000n;
    const rows = await withWallet({ upstream, nanoUsd }, async ({ base, parts }) => {
      for (const _ of lies) {
        await post(base, "/v1/chat/completions", chat({ stream, max_tokens: 9 }));
      }
      const { balanceNanoUsd } = await getBalance(parts.store, walletAccountId);
      assert(balanceNanoUsd <= nanoUsd);
    });
    for (const { costNanoUsd = 0n } of rows) assert(costNanoUsd >= 0n);
  });
}

/** Values of a caller's output limits and counts, as JSON text. */
const bounds = ["-5", "0", "0.5", "1e300", '"7"', "null", "[]", "-0", "1e-300", "true"];

Deno.test("a call without money is refused, whatever output limit it states", async () => {
  await using upstream = startPaidUpstream();
  const rows = await withWallet({ upstream, nanoUsd: 0n }, async ({ base }) => {
    for (const bound of bounds) {
      for (const member of ["max_tokens", "max_completion_tokens", "n"]) {
        const body = JSON.stringify(chat({})).replace("{", `{"${member}":${bound},`);
        const { status } = await post(base, "/v1/chat/completions", body);
        assert(status === 402 || status === 400, `${member}: ${bound} got ${status}`);
      }
    }
  });
  assertEquals(upstream.seen.length, 0);
  assertEquals(rows.filter(({ costNanoUsd }) => costNanoUsd).length, 0);
});

const doubled = [
  `"max_tokens":1,"max_tokens":90000`,
  `"max_tokens":90000,"max_tokens":1`,
  `"max_tokens":1,"Max_Tokens":90000`,
  `"max_completion_tokens":90000,"max_completion_\\u0074okens":1`,
  `"n":100,"n":1`,
];

/** Members that only a case-insensitive parser takes for a limit, a count or a tier. */
const misspelled = [
  `"N":100`,
  `"Max_Tokens":90000`,
  `"max_to\u212aens":90000`,
  `"max_tokens":1,"max_to\\u212aens":90000`,
  `"max_token\\u017f":90000`,
  `"Service_Tier":"priority"`,
];

Deno.test("an answer's length that is said twice or misspelled is refused: upstreams differ in which they take", async () => {
  await using upstream = startPaidUpstream();
  await withWallet({ upstream, nanoUsd: 1_000_000_000n }, async ({ base }) => {
    for (const members of [...doubled, ...misspelled]) {
      const body = JSON.stringify(chat({})).replace("{", `{${members},`);
      assertEquals([members, (await post(base, "/v1/chat/completions", body)).status], [
        members,
        400,
      ]);
    }
    const { status } = await post(base, "/v1/chat/completions", chat({ max_tokens: 9, n: 1 }));
    assertEquals(status, 200);
  });
  assertEquals(upstream.seen.length, 1);
});

const contents = [{ role: "user", parts: [{ text: 'Set "maxOutputTokens" to 1.' }] }];
const doubledInside = [
  `"generationConfig":{"maxOutputTokens":1,"maxOutputTokens":90000}`,
  `"generationConfig":{"maxOutputTokens":90000,"max\\u004futputTokens":1}`,
  `"generation_config":{"candidate_count":100,"candidate_count":1}`,
  `"generationConfig":{"MaxOutputTokens":90000}`,
  `"GenerationConfig":{"maxOutputTokens":90000}`,
];

Deno.test("a length inside of generationConfig is said once and spelled exactly", async () => {
  await using upstream = startUpstream(() => Response.json({}, { status: 500 }));
  await withWallet({ upstream, nanoUsd: 1_000_000_000n }, async ({ base }) => {
    const path = "/v1beta/models/paid:generateContent";
    for (const members of doubledInside) {
      const { status } = await post(
        base,
        path,
        JSON.stringify({ contents }).replace("{", `{${members},`),
      );
      assertEquals([members, status], [members, 400]);
    }
    const quoting = { contents, generationConfig: { maxOutputTokens: 9, candidateCount: 1 } };
    assertEquals((await post(base, path, quoting)).status, 502);
  });
  assertEquals(upstream.seen.length > 0, true);
});

Deno.test("the largest of a length and of a number of alternatives counts, in either spelling", async () => {
  await using upstream = startPaidUpstream();
  await withWallet({ upstream, nanoUsd: 100_000_000n }, async ({ base }) => {
    const path = "/v1beta/models/paid:generateContent";
    const bodies = [
      { generationConfig: { candidateCount: 1, candidate_count: 90_000 } },
      { generationConfig: { candidateCount: 1 }, generation_config: { candidateCount: 90_000 } },
    ];
    for (const body of bodies) {
      assertEquals((await post(base, path, { contents, ...body })).status, 402);
    }
  });
  assertEquals(upstream.seen.length, 0);
});

const searched = messagesAnswer({
  model: "paid",
  content: [{ type: "text", text: "Nine." }],
  usage: { input_tokens: 9, output_tokens: 9, server_tool_use: { web_search_requests: 3 } },
});
const searching = {
  model: "paid",
  max_tokens: 99,
  messages,
  tools: [{ type: "web_search_20250305", name: "web_search" }],
};

Deno.test("hosted tools that cost something are not free where tokens are", async () => {
  await using upstream = startUpstream(() => Response.json(searched));
  const price = { input: 0, output: 0, hostedTools: { "web-search": 10 } };
  const config = { models: [{ id: "paid", price }] };
  const rows = await withWallet({ upstream, config, nanoUsd: 100_000_000n }, async ({ base }) => {
    assertEquals((await post(base, "/v1/messages", searching)).status, 200);
    assertEquals((await post(base, "/v1/messages", searching)).status, 402); // enough for seven
  });
  const costs = rows.map(({ costNanoUsd, uncoveredNanoUsd }) => [costNanoUsd, uncoveredNanoUsd]);
  assertEquals(costs.reverse(), [[30_000_000n, undefined], [undefined, undefined]]);
});

Deno.test("hosted tools are reckoned with before the call: many at once do not overspend", async () => {
  const called = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    await called.promise;
    return Response.json(searched);
  });
  const price = { input: 1, output: 2, hostedTools: { "web-search": 10 } };
  const config = { models: [{ id: "paid", price }], limits: { moneyWaitMs: 300 } };
  const rows = await withWallet({ upstream, config, nanoUsd: 200_000_000n }, async ({ base }) => {
    const calls = Promise.all(
      Array.from({ length: 30 }, () => post(base, "/v1/messages", searching).catch(() => {})),
    );
    setTimeout(called.resolve, 400);
    await calls;
  });
  assert(rows.some(({ costNanoUsd }) => costNanoUsd));
  assertEquals(rows.filter(({ uncoveredNanoUsd }) => uncoveredNanoUsd).length, 0);
});

Deno.test("callers who leave at any moment leave no place and no money behind", async () => {
  await using upstream = startPaidUpstream(() => 20);
  const secret = "sk-places-0123456789abcdefghij";
  const places = 5;
  const config = {
    ...paidConfig(upstream),
    keys: [{
      name: "places",
      value: secret,
      budget: { usd: 1, period: "total" },
      limits: { concurrency: places },
    }],
  };
  await withWallet({ upstream, config, nanoUsd: 0n }, async ({ base }) => {
    for (let round = 0; round < 60; round++) {
      await Promise.all(Array.from({ length: places }, async (_, at) => {
        const signal = AbortSignal.timeout(Math.random() * 50);
        await callPaid(base, secret, { stream: at % 2 === 0, signal }).catch(() => {});
      }));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    const last = await Promise.all(
      Array.from({ length: places }, (_, at) => callPaid(base, secret, { stream: at % 2 === 0 })),
    );
    assertEquals(last.map(({ status }) => status), last.map(() => 200));
  });
});

Deno.test("a store that is away for three seconds costs nobody an answer, a charge or a lease", async () => {
  await using upstream = startPaidUpstream(({ stream }) => stream ? 4_000 : 0);
  const rows = await withWallet({ upstream, nanoUsd: 1_000_000_000n }, async ({ base, parts }) => {
    const { store } = parts;
    const streams = Array.from(
      { length: 8 },
      () => callPaid(base, walletKey, { stream: true, maxTokens: 20 }),
    );
    await new Promise((resolve) => setTimeout(resolve, 2_300)); // a heartbeat has reported them
    breakCommits(store, 3_000);
    const beside = Array.from({ length: 8 }, () => callPaid(base, walletKey, { maxTokens: 20 }));
    const answers = await Promise.all([...streams, ...beside]);
    assertEquals(answers.map(({ status }) => status), answers.map(() => 200));
    await new Promise((resolve) => setTimeout(resolve, 2_300)); // the next one gives back what is lost
    assert((await listIsolates(store)).length <= 1, "a record that was given up is still there");
    assertEquals(await unaccounted(store), 0n);
  });
  assertEquals(rows.map(({ outcome }) => outcome), rows.map(() => "completed"));
  assertEquals(rows.map(({ costNanoUsd }) => costNanoUsd), Array(16).fill(callNanoUsd));
});

/** Every commit fails for a while, some of them after they were stored. */
function breakCommits({ kv }: Store, forMs: number): void {
  const endsAt = performance.now() + forMs;
  const atomic = kv.atomic.bind(kv);
  const set = kv.set.bind(kv);
  let commits = 0;
  const broken = async <Result>(commit: () => Promise<Result>) => {
    if (performance.now() > endsAt) return await commit();
    if (++commits % 3 === 0) await commit();
    throw new Error("the connection broke");
  };
  kv.set = (...write) => broken(() => set(...write));
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = () => broken(commit);
    return operation;
  };
}

/** The part of the wallet that is allotted but neither spent nor leased. */
async function unaccounted(store: Store): Promise<bigint> {
  const id = walletId(walletAccountId);
  const allowances = await listAllowances(store);
  const { allotted = 0n, spent = 0n } = allowances.find((one) => one.id === id) ?? {};
  const leased = [...(await leasedOf(store, id)).values()].reduce((sum, one) => sum + one, 0n);
  return allotted - spent - leased;
}

import { assert, assertEquals } from "@std/assert";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import {
  type ChainScene,
  type Failure,
  failures,
  prices,
  prompt,
  startChains,
} from "./chain_scene.ts";

const tokens = { input: 100, output: 10 };
const costOf = (model: keyof typeof prices) =>
  BigInt(prices[model] * (tokens.input + tokens.output)) * 1_000n;

/** With `EVERY_ROW=1` as many calls as the proof needs; otherwise a few hundred. */
const callCount = Deno.env.get("EVERY_ROW") === "1" ? 10_000 : 300;
const atOnce = 24;

const members = ["down", "a", "b", "c"] as const;
const names = Object.keys(failures) as Failure[]; // its own keys

interface Planned {
  readonly failing: readonly string[];
  readonly text: string;
  readonly stream: boolean;
}

/** A call in whose prompt some members fail, but not all of them. */
function planned(at: number): Planned {
  const failing = members.slice(1, 1 + at % 3);
  const text = failing.map((model, place) =>
    `[${model}:${names[(at + place * 4) % names.length]}]`
  );
  return { failing, text: `call ${at} ${text.join("")}`, stream: at % 2 === 1 };
}

/** The member that answered a call. */
interface Got {
  readonly call: Planned;
  readonly model: typeof members[number];
}

Deno.test(`chains: ${callCount} calls over upstreams that fail for each cause, without a failure`, async () => {
  await using scene = await startChains({ smart: members }, {
    limits: {
      breakerFailuresMax: 1_000_000,
      breakerWindowFailuresMax: 1_000_000,
      cooldownMs: 1,
      cooldownMsMax: 1,
      credentialOutMs: 1,
      credentialOutMsMax: 1,
    },
  });
  const waiting = Array.from({ length: callCount }, (_, at) => planned(at)).values();
  const got = new Map<string, Got>();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (const call of waiting) {
      const { id, model } = await answered(scene, call);
      got.set(id, { call, model });
    }
  }));
  const rows = await scene.rows();
  assertEquals(rows.length, callCount);
  for (const row of rows) assertExplained(row, got.get(row.id));
  const charged = rows.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n);
  const due = got.values().reduce((sum, { model }) => sum + costOf(model), 0n);
  assertEquals(charged, due);
  console.log(`  ${countsOf(rows)}`);
});

async function answered({ ask }: ChainScene, call: Planned) {
  const response = await ask({ model: "smart", stream: call.stream, ...prompt(call.text) });
  const text = await response.text();
  assertEquals(response.status, 200, text);
  const model = members.find((one) => one === response.headers.get("tessera-model"));
  assert(model !== undefined && !call.failing.includes(model), `${model} answered ${call.text}`);
  assert(text.includes(`I am ${model}`), text);
  return { id: response.headers.get("x-request-id") ?? "", model };
}

/** The row names the virtual model and the member, and says of each other one before why not. */
function assertExplained(row: RequestLogRow, got: Got | undefined): void {
  assert(got !== undefined);
  const { attempts = [], chain } = row;
  assertEquals([row.model, chain?.name, row.outcome], [got.model, "smart", "completed"]);
  assertEquals(row.costNanoUsd, costOf(got.model));
  for (const model of members.slice(0, members.indexOf(got.model))) {
    const isTried = attempts.some((one) => one.model === model && one.errorCode !== undefined);
    const isSkipped = chain?.skipped?.some((one) => one.model === model) ?? false;
    assert(
      isTried || isSkipped,
      `nothing says why ${model} did not answer: ${JSON.stringify(row.attempts)}`,
    );
  }
}

/** The number of times that each failure, and each reason not to try a member, was logged. */
function countsOf(rows: readonly RequestLogRow[]): string {
  const said = rows.flatMap(({ attempts = [], chain }) => [
    ...attempts.flatMap(({ errorCode }) => errorCode ?? []),
    ...chain?.skipped?.map(({ reason }) => reason) ?? [],
  ]);
  const counts = Object.entries(Object.groupBy(said, (word) => word));
  return counts.map(([word, all = []]) => `${all.length} ${word}`).join(", ");
}

Deno.test("chains: a call is counted before it is sent, and goes to the window that it fits", async () => {
  await using scene = await startChains({}, {
    models: [
      { id: "b", price: { input: 1, output: 1 } },
      { id: "a", contextWindow: 200, price: { input: 1, output: 1 } },
      { id: "smart", members: ["a", "b"] },
    ],
  });
  const short = await scene.ask({ model: "smart", ...prompt("hi") });
  assertEquals([short.headers.get("tessera-model"), await short.text()].slice(0, 1), ["a"]);
  const long = await scene.ask({ model: "smart", ...prompt("many words ".repeat(500)) });
  assertEquals([long.headers.get("tessera-model"), await long.text()].slice(0, 1), ["b"]);
  const [row] = await scene.rows();
  assertEquals(row.chain, { name: "smart", skipped: [{ model: "a", reason: "window" }] });
  assertEquals(scene.upstream.seen.map(({ body }) => JSON.parse(body).model), ["a", "b"]);
});

const tool = { type: "function", function: { name: "f", parameters: { type: "object" } } };
const image = {
  role: "user",
  content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
};

Deno.test("chains: conditions on streams, tools and images choose the member", async () => {
  await using scene = await startChains({
    smart: [
      { model: "a", images: true },
      { model: "b", tools: true, stream: false },
      "c",
    ],
  });
  const memberOf = async (body: Record<string, unknown>) => {
    const response = await scene.ask({ model: "smart", ...body });
    await response.text();
    return response.headers.get("tessera-model");
  };
  assertEquals(await memberOf({}), "c");
  assertEquals(await memberOf({ tools: [tool] }), "b");
  assertEquals(await memberOf({ tools: [tool], stream: true }), "c");
  assertEquals(await memberOf({ messages: [image] }), "a");
});

Deno.test("chains: a session stays with the member that answered it while that is well", async () => {
  await using scene = await startChains({ smart: ["a", "b"] });
  const memberOf = async (text: string, session: string) => {
    const body = { model: "smart", ...prompt(text) };
    const response = await scene.ask(body, { "tessera-session": session });
    await response.text();
    return response.headers.get("tessera-model");
  };
  assertEquals(await memberOf("[a:outage]", "one"), "b");
  assertEquals(await memberOf("hi", "one"), "b");
  assertEquals(await memberOf("hi", "two"), "a");
  assertEquals(await memberOf("[b:outage]", "one"), "a");
  assertEquals(await memberOf("hi", "one"), "a");
});

Deno.test("chains: the nearly spent budget of a key moves its calls to a cheaper member", async () => {
  const key = { name: "test", value: "sk-test-0123456789abcdefghij" };
  await using scene = await startChains({
    smart: [{ model: "c", budgetPercent: 50 }, "a"],
  }, { keys: [{ ...key, budget: { usd: 0.02, period: "total" } }] });
  const memberOf = async (session: string) => { // the spent share is kept for some seconds
    const body = { model: "smart", max_tokens: 10 };
    const response = await scene.ask(body, { "tessera-session": session });
    await response.text();
    return response.headers.get("tessera-model");
  };
  assertEquals(await memberOf("one"), "a"); // $0.011 of $0.02
  assertEquals(await memberOf("two"), "c");
});

Deno.test("chains: money is reserved for the dearest member", async () => {
  const key = { name: "test", value: "sk-test-0123456789abcdefghij" };
  await using scene = await startChains({ smart: ["c", "a"] }, {
    keys: [{ ...key, budget: { usd: 0.02, period: "total" } }],
  });
  await (await scene.ask({ model: "smart", max_tokens: 10_000 })).text();
  await (await scene.ask({ model: "c", max_tokens: 10_000 })).text();
  const [virtual, plain] = scene.upstream.seen.map(({ body }) => JSON.parse(body).max_tokens);
  assert(virtual < 200, `${virtual} tokens of a cost more than the budget`);
  assertEquals(plain, 10_000);
});

Deno.test("chains: all formats, whole requests and counts call a virtual model, and lists have it", async () => {
  await using scene = await startChains({ smart: ["a", "b"], alias: ["b"] });
  const { base, key } = scene.gateway;
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${base}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assertEquals(response.status, 200, text);
    return [response.headers.get("tessera-model"), JSON.parse(text).model];
  };
  const { messages } = prompt("hi [a:outage]");
  const said = { model: "smart", messages, max_tokens: 9 };
  assertEquals(await post("/v1/messages", said), ["b", "smart"]);
  assertEquals(await post("/v1/responses", { model: "smart", input: "[a:outage]" }), [
    "b",
    "smart",
  ]);
  const contents = [{ role: "user", parts: [{ text: "[a:outage]" }] }];
  assertEquals((await post("/v1beta/models/smart:generateContent", { contents }))[0], "b");
  assertEquals((await post("/v1/chat/completions", { ...said, model: "alias" }))[0], "b");
  assertEquals((await post("/v1/embeddings", { model: "smart", input: "[a:outage]" }))[0], "b");
  assertEquals((await post("/v1/messages/count_tokens", { model: "smart", messages }))[0], null);
  const list = await fetch(`${base}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const ids = (await list.json()).data.map(({ id }: { id: string }) => id);
  assertEquals(ids, ["a", "alias", "b", "c", "down", "smart"]);
});

Deno.test("chains: a refusal is passed on if no other member takes it", async () => {
  await using scene = await startChains({ smart: ["a", { model: "b", causes: ["outage"] }] });
  const response = await scene.ask({ model: "smart", ...prompt("[a:refusal]") });
  assertEquals((await response.json()).choices[0].finish_reason, "content_filter");
  assertEquals(response.headers.get("tessera-model"), "a");
});

const event = (type: string, members: Record<string, unknown>) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const opening = event("message_start", {
  message: messagesAnswer({ content: [], stop_reason: null }),
});
const refusal = event("message_delta", {
  delta: { stop_reason: "refusal", stop_sequence: null },
  usage: { output_tokens: 1 },
}) + event("message_stop", {});

Deno.test("chains: a call that all members fail costs nothing, and names each failure", async () => {
  await using scene = await startChains({ smart: ["down", "a", "b"] });
  const response = await scene.ask({ model: "smart", ...prompt("[a:refusal][b:outage]") });
  await response.text();
  assertEquals(response.status, 503);
  const [row] = await scene.rows();
  assertEquals(row.costNanoUsd, undefined);
  assertEquals(row.attempts?.map(({ model, errorCode }) => [model, errorCode]), [
    ["down", "upstream_unreachable"],
    ["a", "content_blocked"],
    ["b", "upstream_overloaded"],
    ["b", "upstream_overloaded"], // no member is left: the last one is tried again
  ]);
});

Deno.test("chains: a stream that refuses before any content goes on to the next member", async () => {
  await using strict = startUpstream(() =>
    new Response(opening + refusal, { headers: { "content-type": "text/event-stream" } })
  );
  await using scene = await startChains({}, {}, {
    upstreams: [{ id: "strict", endpoints: { messages: strict.base }, models: ["strict"] }],
    models: [
      { id: "strict", price: { input: 1_000, output: 1_000 } },
      { id: "smart", members: ["strict", "b"] },
    ],
  });
  const { base, key } = scene.gateway;
  for (const path of ["/v1/messages", "/v1/chat/completions"]) {
    const response = await fetch(`${base}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "smart", max_tokens: 9, stream: true, ...prompt(path) }),
    });
    const text = await response.text();
    assertEquals(response.headers.get("tessera-model"), "b");
    assert(text.includes("I am b") && text.includes(": tessera-model b"), text);
  }
  for (const row of await scene.rows()) {
    assertEquals(row.attempts?.map(({ errorCode }) => errorCode), ["content_blocked", undefined]);
    assertEquals(row.costNanoUsd, costOf("b"));
  }
});

Deno.test("chains: a vendor's signature does not go to another one, and the losses are the member's", async () => {
  await using signing = startUpstream(() => new Response("", { status: 503 }));
  await using scene = await startChains({}, {}, {
    upstreams: [{ id: "signing", endpoints: { messages: signing.base }, models: ["signing"] }],
    models: [
      { id: "signing", price: { input: 1, output: 1 } },
      { id: "smart", members: ["signing", "b"] },
    ],
  });
  const { base, key } = scene.gateway;
  const thinking = { type: "thinking", thinking: "Hm.", signature: "c2lnbmVk" };
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [thinking, { type: "text", text: "Hello" }] },
    { role: "user", content: "and?" },
  ];
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "smart", max_tokens: 9, messages }),
  });
  await response.text();
  assertEquals([response.status, response.headers.get("tessera-model")], [200, "b"]);
  assert(signing.seen[0].body.includes(thinking.signature));
  assert(!scene.upstream.seen[0].body.includes(thinking.signature));
  const [{ notes }] = await scene.rows();
  assert(notes !== undefined && notes.length > 0, response.headers.get("tessera-notes") ?? "");
});

Deno.test("chains: a call that no member serves is refused with the reason of each", async () => {
  await using scene = await startChains({ smart: [{ model: "a", stream: true }, "nobody"] });
  const response = await scene.ask({ model: "smart" });
  const { error } = await response.json();
  assertEquals(response.status, 503);
  assert(error.message.includes("a (stream), nobody (unserved)"), error.message);
});

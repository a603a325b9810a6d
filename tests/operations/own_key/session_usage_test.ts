import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type KeyName, keyScene, secrets } from "./key_scene.ts";

/** Calls of agents over HTTP, and what their key reads about their sessions. */

const budget = [{ usd: 5, period: "total" }, { usd: 0.08, period: "session" }];
const keys = [
  { name: "ci", group: "default", value: secrets.ci, budget },
  { name: "other", group: "default", value: secrets.other },
];

const claude = (agent?: string) => ({
  "x-claude-code-session-id": "cc-1",
  ...(agent && { "x-claude-code-agent-id": agent, "x-claude-code-request-class": "subagent" }),
});

async function sceneOfSessions() {
  const scene = await keyScene({ keys });
  return {
    ...scene,
    /** One call of `m` costs $0.018. */
    call: async (headers: Record<string, string>, key: KeyName = "ci", more = {}) => {
      const messages = [{ role: "user", content: "hi" }];
      const response = await fetch(`${scene.gateway.base}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${secrets[key]}`, ...headers },
        body: JSON.stringify({ model: "m", messages, max_tokens: 2500, ...more }),
      });
      return { status: response.status, text: await response.text() };
    },
  };
}

Deno.test("a key reads the usage of a session by sub-agent and class, with what remains", async () => {
  await using scene = await sceneOfSessions();
  for (const agent of [undefined, "a1", "a1"]) {
    assertEquals((await scene.call(claude(agent))).status, 200);
  }
  await scene.call({ "tessera-session": "cc-1" }, "other");
  const usage = await scene.json("/v1/usage?session=cc-1");
  const row = (requests: number, cost: string) => ({
    requests,
    failures: 0,
    input_tokens: 1000 * requests,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    cache_misses: 0,
    cache_saving: "0",
    output_tokens: 2000 * requests,
    cost,
  });
  const hour = `${new Date().toISOString().slice(0, 13)}:00:00.000Z`;
  assertEquals(usage, {
    object: "session_usage",
    session: "cc-1",
    currency: "USD",
    total: row(3, "0.054"),
    turns: 1,
    cache: { misses: [], advice: null },
    models: [{ model: "m", ...row(3, "0.054") }],
    remaining: "0.026",
    limits: [
      {
        name: "session budget",
        owner: "session",
        period: "session",
        limit: "0.08",
        remaining: "0.026",
        resets_at: null,
      },
      {
        name: "key total budget",
        owner: "key",
        period: "total",
        limit: "5",
        remaining: "4.946",
        resets_at: null,
      },
    ],
    parts: [
      { agent: "a1", request_class: "subagent", ...row(2, "0.036") },
      { agent: null, request_class: null, ...row(1, "0.018") },
    ],
    hours: [{ at: hour, ...row(3, "0.054") }],
  });
});

/** Calls until a call is refused, and returns its text. */
async function untilRefused(call: () => Promise<{ status: number; text: string }>) {
  for (let n = 0; n < 10; n++) {
    const { status, text } = await call();
    if (status !== 200) return { calls: n, status, text };
  }
  throw new Error("no call was refused");
}

Deno.test("a session that has spent its budget is refused, and another one goes on", async () => {
  await using scene = await sceneOfSessions();
  let agents = 0;
  const { calls, status, text } = await untilRefused(() => scene.call(claude(`a${agents++}`)));
  assertEquals([calls >= 4, status], [true, 402]);
  assertStringIncludes(text, "of the session cc-1 budget of $0.08 is spent or reserved");
  assertStringIncludes(text, "start a new session");
  const { total } = await scene.json("/v1/usage?session=cc-1") as { total: { cost: string } };
  assert(Number(total.cost) > 0.07 && Number(total.cost) <= 0.08, total.cost);
  assertEquals((await scene.call({ "tessera-session": "cc-2" })).status, 200);
  assertEquals((await scene.call({})).status, 200);
});

Deno.test("a request limits its session, also one that only its body names", async () => {
  await using scene = await sceneOfSessions();
  const body = { prompt_cache_key: "qwen-code:4b1f9a52-0d8e-4c55-9d5e-1f5b8a6c7d20" };
  const headers = { "tessera-session-budget": "0.04" };
  const { calls, status, text } = await untilRefused(() => scene.call(headers, "other", body));
  assertEquals([calls >= 2, status], [true, 402]);
  assertStringIncludes(text, "budget of $0.04 is spent or reserved");
  const nameless = await scene.call(headers, "other");
  assertEquals(nameless.status, 400);
  assertStringIncludes(nameless.text, "the call names no session");
  const malformed = await scene.call({ ...claude(), "tessera-session-budget": "-1" }, "other");
  assertEquals(malformed.status, 400);
  assertStringIncludes(malformed.text, "write dollars above 0");
});

Deno.test("a text that names no session is refused, and an unknown session has no calls", async () => {
  await using scene = await sceneOfSessions();
  for (const text of ["a/b", "a".repeat(3_000), "%00"]) {
    const { error } = await scene.json(`/v1/usage?session=${text}`) as {
      error: { message: string };
    };
    assertStringIncludes(error.message, "Cannot read the query: session must be 1 to 100");
  }
  const { total } = await scene.json("/v1/usage?session=cc-9") as { total: { requests: number } };
  assertEquals(total.requests, 0);
});

import { assert, assertEquals } from "@std/assert";
import { type RequestLogRow, streamRequestLogs } from "../../../lib/store/log/mod.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { type Seen, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

/**
 * Three upstreams, of which one is dead and one fails 30 % of its calls before the first byte: no
 * caller sees a failure. `TESSERA_CALLS=10000` makes it the ten thousand of the name.
 */
const calls = Number(Deno.env.get("TESSERA_CALLS") ?? 2_000);
const atOnce = 32;
const failingShare = 0.3;

/** The first case has the default limits; in the second no circuit opens, so only retries help. */
const cases: readonly { readonly name: string; readonly limits: Record<string, number> }[] = [
  { name: "with breakers", limits: {} },
  { name: "by attempts alone", limits: { breakerFailuresMax: 1e9, breakerWindowFailuresMax: 1e9 } },
];

for (const { name, limits } of cases) {
  Deno.test(`${calls} calls to a dead, a failing and a sound upstream, ${name}: no caller sees a failure`, async () => {
    const random = chance();
    let failures = 0;
    await using failing = startUpstream((seen) =>
      random() < failingShare ? faults[failures++ % faults.length](seen) : answering(seen)
    );
    await using sound = startUpstream(answering);
    await using gateway = await startGateway({
      limits,
      upstreams: [
        declared("dead", await deadAddress()),
        declared("failing", failing.base),
        declared("sound", sound.base),
      ],
    });
    const startedAt = performance.now();
    const seen = await inParallel((n) => answerOf(gateway, n));
    const seconds = (performance.now() - startedAt) / 1000;
    const rows = await rowsOf(gateway);
    console.log([
      `${calls} calls ${name} in ${
        seconds.toFixed(1)
      } s, failures seen by a caller: ${seen.length}`,
      ...["dead", "failing", "sound"].map((id) => attemptsAt(id, rows)),
    ].join("\n"));

    assertEquals(seen, []);
    assertEquals(rows.length, calls, "every call is settled once");
    assert(rows.every(({ outcome }) => outcome === "completed"));
    const failed = rows.flatMap(({ attempts = [] }) => attempts).filter(({ upstreamId, outcome }) =>
      upstreamId === "failing" && outcome !== "completed"
    );
    assertEquals(failed.length, failures, "every failure of it is an attempt in the log");
    assert(failures > 0);
  });
}

async function rowsOf({ parts: { store } }: TestGateway): Promise<RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  for await (const page of streamRequestLogs(store, {})) rows.push(...page);
  return rows;
}

function attemptsAt(id: string, rows: readonly RequestLogRow[]): string {
  const tried = rows.flatMap(({ attempts = [] }) => attempts)
    .filter(({ upstreamId }) => upstreamId === id);
  const failed = tried.filter(({ outcome }) => outcome !== "completed");
  return `${id}: ${tried.length} attempts, ${failed.length} failed`;
}

const json = { "content-type": "application/json" };
const sse = { "content-type": "text/event-stream" };
const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
const delta = (fields: unknown, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: fields, finish_reason }] })}\n\n`;
const streamed = `${delta({ role: "assistant", content: "Hi" }, null)}${
  delta({}, "stop")
}data: [DONE]\n\n`;
const whole = JSON.stringify(chatAnswer({ content: "Hi" }, { usage }));

function answering(seen: Seen): Response {
  return wantsStream(seen)
    ? new Response(streamed, { headers: sse })
    : new Response(whole, { headers: json });
}

/** Its failures in turn, each before the caller receives any content. */
const faults: readonly ((seen: Seen) => Response)[] = [
  () => new Response("broken", { status: 500 }),
  () => new Response('{"error":{"message":"busy"}}', { status: 503, headers: json }),
  () => new Response("<!doctype html>", { status: 200, headers: { "content-type": "text/html" } }),
  () => new Response("", { headers: json }),
  () => new Response(whole.slice(0, 50), { headers: json }),
  () => new Response(null, { status: 204 }),
  (seen) => wantsStream(seen) ? new Response("data: [DONE]\n\n", { headers: sse }) : nothing(),
  (seen) => wantsStream(seen) ? new Response(": hello\n\n", { headers: sse }) : nothing(),
];

function nothing(): Response {
  return new Response('{"choices":[{"message":{"content":null}}]}', { headers: json });
}

function wantsStream({ body }: Seen): boolean {
  return JSON.parse(body).stream === true;
}

function declared(id: string, base: string): Record<string, unknown> {
  return { id, endpoints: { "chat-completions": base }, apiKeys: [`key-of-${id}`], models: ["m"] };
}

/** An address without a listener. */
async function deadAddress(): Promise<string> {
  const { base, ...upstream } = startUpstream(() => new Response());
  await upstream[Symbol.asyncDispose]();
  return base;
}

/** Makes one call, whole or streamed, in one of two formats; returns the faults of its answer. */
async function answerOf({ base, key }: TestGateway, n: number): Promise<string[]> {
  const path = n % 4 < 2 ? "/v1/chat/completions" : "/v1/messages";
  const response = await fetch(base + path, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: "m",
      max_tokens: 50,
      stream: n % 2 === 1,
      messages: [{ role: "user", content: `call ${n}` }],
    }),
  });
  const text = await response.text();
  const isWhole = response.status === 200 && text.includes("Hi") && !text.includes('"error"');
  return isWhole ? [] : [`${path} ${response.status}: ${text.slice(0, 200)}`];
}

async function inParallel(call: (n: number) => Promise<string[]>): Promise<string[]> {
  let next = 0;
  const failures: string[] = [];
  const worker = async () => {
    while (next < calls) failures.push(...await call(next++));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return failures;
}

/** A sequence of numbers that looks like chance, the same in every run. */
function chance(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import type { StoreLocation } from "../../../lib/store/kv/open.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { later } from "../../waiting.ts";
import { startUpstream } from "../fake_upstream.ts";
import { signChild } from "../../accounts/child_token.ts";
import { testKey } from "../gateway.ts";
import { freePort, type ServerProcess, startServer } from "../server_process.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";

/**
 * Calls with an idempotency key, each sent three times at random moments, while the gateway is killed
 * and started again: each is charged once, and its three answers are the same. They call a virtual
 * model whose first member is down, belong to five sessions, and half of them come with a child key;
 * the key has a rolling budget and one for each session, and the upstream costs half the charge. By hand, with
 * EVERY_ROW=1, 1,000 calls and a kill about every second, and two gateways on shared stores.
 */

const isLong = Deno.env.get("EVERY_ROW") === "1";
const callCount = isLong ? 1_000 : 36;
const killsMin = isLong ? 20 : 1;
const callsAtOnce = 24;
const tries = 3;
const costNanoUsd = 100_000n;
const usage = { prompt_tokens: 60, completion_tokens: 20, total_tokens: 80 };

const childKey = await signChild(testKey, { sub: "reviewer", budget: "5" });

let answers = 0;

/** Each answer is another one; one of twelve takes so long that a heartbeat records its call. */
function startModel() {
  return startUpstream(async ({ body }) => {
    const { stream } = JSON.parse(body);
    const number = ++answers;
    const content = `Answer ${number}`;
    const waitMs = number % 12 === 5 ? 3_000 : Math.random() * 300;
    if (stream) return new Response(slowly(chunksOf(content), waitMs), { headers: eventStream });
    await later(waitMs);
    return Response.json(chatAnswer({ content }, { id: content, model: "paid", usage }));
  });
}

const eventStream = { "content-type": "text/event-stream" };

function chunksOf(content: string): string[] {
  const head = { id: "c1", object: "chat.completion.chunk", created: 1, model: "paid" };
  const chunk = (fields: object) => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
  return [
    chunk({ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: { content: "." }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage }) + "data: [DONE]\n\n",
  ];
}

function slowly(texts: readonly string[], waitMs: number): ReadableStream<Uint8Array> {
  const waiting = [...texts];
  return new ReadableStream({
    pull: async (controller) => {
      await later(waitMs / texts.length);
      const next = waiting.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(next));
    },
  }, { highWaterMark: 0 });
}

interface Answered {
  readonly text: string;
  readonly isReplay: boolean;
}

/** Sends a call until it gets a whole answer, as a client that retries does. */
async function answerOf(baseOf: () => string, call: number): Promise<Answered> {
  await later(Math.random() * 1_000);
  for (;;) {
    const answered = await tryOnce(baseOf(), call).catch(() => undefined); // the gateway was killed
    if (answered) return answered;
    await later(20 + Math.random() * 100);
  }
}

async function tryOnce(base: string, call: number): Promise<Answered | undefined> {
  const isStream = call % 2 === 1;
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${call % 4 < 2 ? testKey : childKey}`,
      "content-type": "application/json",
      "idempotency-key": `call-${call}`,
      "tessera-session": `session-${call % 5}`,
    },
    body: JSON.stringify({
      model: "smart",
      stream: isStream,
      messages: [{ role: "user", content: `Question ${call}` }],
    }),
  });
  const text = await response.text();
  if (response.status === 409) assert(text.includes("request_in_progress"), text);
  if (!response.ok || (isStream && !text.endsWith("data: [DONE]\n\n"))) return undefined;
  return { text, isReplay: response.headers.get("tessera-replayed") === "true" };
}

Deno.test(`${callCount} calls sent ${tries} times under kill -9 are charged ${callCount} times, and their answers are the same`, async () => {
  await withStoreFolder(async (folder) => {
    await using upstream = startModel();
    const options = { port: freePort(), config: configOf(upstream.base) };
    const base = `http://127.0.0.1:${options.port}`;
    const start = (isolates?: number) => startServer(folder, { ...options, isolates });
    const killing = new Killing(start);
    await killing.begin();
    const replays = await sendAll(callCount, () => base);
    const kills = await killing.end();
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    const interrupted = await assertChargedOnce(location, callCount);
    console.log(
      `${kills} kills: ${callCount} calls, ${replays} answers replayed, ${answers} answers by the model, ${interrupted} interrupted calls in the log`,
    );
    assert(kills >= killsMin && (!isLong || interrupted > 0));
  });
});

testOnSharedStores(
  (kind) =>
    `60 calls sent ${tries} times to two gateways on ${kind}, one of them killed, are charged 60 times`,
  (create) =>
    withStoreFolder(async (folder) => {
      await using shared = await create(folder);
      await using upstream = startModel();
      const config = configOf(upstream.base);
      const begin = (at: number) => startServer(folder, { config, env: shared.env, name: `${at}` });
      const servers = [await begin(0), await begin(1)];
      const replaying = sendAll(60, () => servers[Math.random() < 0.5 ? 0 : 1].base);
      await later(1_000);
      await servers[0].kill();
      servers[0] = await begin(0);
      assert(await replaying > 0);
      for (const server of servers) await server.stop();
      await assertChargedOnce(shared.location, 60);
    }),
  !isLong,
);

/** Sends the calls, some at once. Returns the number of answers that were replayed. */
async function sendAll(count: number, baseOf: () => string): Promise<number> {
  let next = 0;
  let replays = 0;
  const worker = async () => {
    for (let call = next++; call < count; call = next++) {
      const sent = Array.from({ length: tries }, () => answerOf(baseOf, call));
      const got = await Promise.all(sent);
      assertEquals(new Set(got.map(({ text }) => text)).size, 1, `call ${call}`);
      replays += got.filter(({ isReplay }) => isReplay).length;
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, worker));
  return replays;
}

/** Returns the number of interrupted calls in the log. */
async function assertChargedOnce(location: StoreLocation, count: number): Promise<number> {
  const secret = location.type === "file" ? undefined : "a-secret-of-tests";
  const store = await openStore({ location, ...(secret && { secret }) });
  const rows = [];
  for await (const batch of allRows(store)) rows.push(batch);
  const charged = rows.filter(({ costNanoUsd: cost = 0n }) => cost > 0n);
  assertEquals(charged.map((row) => row.costNanoUsd), Array(count).fill(costNanoUsd));
  for (const { upstreamCost, chain, session } of charged) {
    assertEquals(upstreamCost?.nanoUsd, costNanoUsd / 2n);
    assert(chain?.name === "smart" && session, JSON.stringify([chain, session]));
  }
  assertEquals((await auditStore(store)).differences, []);
  store.close();
  return rows.filter(({ errorCode }) => errorCode === "interrupted").length;
}

const price = { input: 1, output: 2 };
/** The factor is on the price for callers, as the catalog lists none. */
const costs = { factor: 0.5 };
const budget = [{ usd: 10, period: "5h" }, { usd: 5, period: "session" }];

function configOf(base: string) {
  return {
    upstreams: [
      { id: "paid", endpoints: { "chat-completions": `${base}/v1` }, models: ["paid"], costs },
      { id: "down", endpoints: { "chat-completions": "http://127.0.0.1:9/v1" }, models: ["down"] },
    ],
    models: [
      { id: "paid", price },
      { id: "down", price },
      { id: "smart", members: ["down", "paid"] },
    ],
    keys: [{ name: "test", value: testKey, budget }],
  };
}

/** Kills the gateway after a random time, and starts it again, until it is ended. */
class Killing {
  #server?: ServerProcess;
  #isOver = false;
  #kills = 0;
  #running = Promise.resolve();

  constructor(readonly start: (isolates?: number) => Promise<ServerProcess>) {}

  async begin(): Promise<void> {
    this.#server = await this.start();
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const isLate = this.#kills % 3 === 0; // a heartbeat has recorded calls in flight
      await later(isLate ? 2_300 : 300 + Math.random() * 1_500);
      if (this.#kills >= killsMin && (!isLong || this.#isOver)) return;
      await this.#server?.kill();
      this.#kills++;
      this.#server = await this.start(this.#kills % 2 === 1 ? 2 : undefined);
    }
  }

  /** Stops the last gateway, and returns the number of kills. */
  async end(): Promise<number> {
    this.#isOver = true;
    await this.#running;
    await this.#server?.stop();
    return this.#kills;
  }
}

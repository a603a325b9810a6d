import { assert, assertEquals } from "@std/assert";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { until } from "../../waiting.ts";
import { type FakeUpstream, type Seen, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

/** An upstream that failed, and calls of real sizes that come while one of them probes it. */

const failuresFirst = 6;
const promptBytes = [20_000, 60_000, 120_000, 200_000];
/** On a machine that others use too; the waits that must not be are longer. */
const promptlyMs = 4_000;
const longMs = 60_000;

interface Scene {
  readonly name: string;
  readonly credentials: readonly string[];
  readonly models: readonly string[];
  /** Short: a breaker is half-open when the probe is called; long: it is still open. */
  readonly breakerOpenMs: number;
}

const scenes: readonly Scene[] = [
  { name: "half-open, one credential", credentials: ["k1"], models: ["m"], breakerOpenMs: 1 },
  { name: "still open, one credential", credentials: ["k1"], models: ["m"], breakerOpenMs: longMs },
  {
    name: "half-open, three credentials and two models",
    credentials: ["k1", "k2", "k3"],
    models: ["m", "n"],
    breakerOpenMs: 1,
  },
];

for (const { name, credentials, models, breakerOpenMs } of scenes) {
  Deno.test(`slow probes hold up no other call once the upstream is healthy again: ${name}`, async () => {
    const slow = credentials.length * models.length;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const state = { isDown: true, held: 0 };
    const answer = async ({ body }: Seen) => {
      if (state.isDown) return refusal();
      if (!body.includes("slow")) return whole();
      state.held++;
      await released;
      return whole();
    };
    await using upstream = startUpstream(answer);
    await using gateway = await startBefore(upstream, { credentials, models, breakerOpenMs });
    await quietly(async () => {
      for (let n = 0; n < failuresFirst * models.length; n++) {
        const { status } = await call(gateway, { model: models[n % models.length] });
        assertEquals(status, 502);
      }
      state.isDown = false;
      const slowCalls = Array.from(
        { length: slow },
        (_, n) => call(gateway, { model: models[n % models.length], word: "slow" }),
      );
      await until(() => state.held > 0);
      const others = await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          call(gateway, {
            model: models[n % models.length],
            bytes: promptBytes[n % promptBytes.length],
          })),
      );
      release();
      assertEquals(others.map(({ status, code }) => code ?? status), Array(24).fill(200));
      assertEquals(others.filter(({ tookMs }) => tookMs > promptlyMs), []);
      assertEquals(
        (await Promise.all(slowCalls)).map(({ status }) => status),
        Array(slow).fill(200),
      );
    });
  });
}

const herd = 200;
const callsMax = 32;

/** Kinds of dead upstreams; `answers` if the upstream responds at all. */
const deaths: readonly {
  readonly name: string;
  readonly answer: (released: Promise<void>) => Promise<Response>;
  readonly answers: boolean;
}[] = [
  { name: "refuses every call", answer: () => Promise.resolve(refusal("3")), answers: true },
  {
    name: "says nothing",
    answer: async (released) => {
      await released;
      return refusal("3");
    },
    answers: false,
  },
];

for (const { name, answer, answers } of deaths) {
  Deno.test(`a dead upstream that ${name}: ${herd} calls at once fail with its own failure, few of them at it at a time`, async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const atOnce = { now: 0, most: 0 };
    const dead = { isSilent: false };
    await using upstream = startUpstream(async () => {
      atOnce.most = Math.max(atOnce.most, ++atOnce.now);
      const response = dead.isSilent ? await answer(released) : refusal("3");
      atOnce.now--;
      return response;
    });
    await using gateway = await startBefore(upstream, {
      credentials: ["k1"],
      models: ["m"],
      breakerOpenMs: longMs,
    });
    await quietly(async () => {
      for (let n = 0; n < failuresFirst; n++) await call(gateway, { model: "m" });
      dead.isSilent = true;
      const calls = Array.from(
        { length: herd },
        () => call(gateway, { model: "m", bytes: 20_000 }),
      );
      const prompt: Answered[] = [];
      for (const one of calls) void one.then((answered) => prompt.push(answered));
      await until(() => prompt.length >= herd - (answers ? 0 : callsMax));
      release();
      const all = await Promise.all(calls);
      assertEquals(
        new Set(all.map(({ status, code }) => `${status} ${code}`)),
        new Set(["503 upstream_overloaded"]),
      );
      assert(all.every(({ retryAfter }) => retryAfter >= 1 && retryAfter <= 3), "no wait is named");
      assertEquals(
        prompt.slice(0, herd - callsMax).filter(({ tookMs }) => tookMs > promptlyMs),
        [],
      );
      assert(atOnce.most <= callsMax, `${atOnce.most} calls were at it at once`);
    });
  });
}

Deno.test("a caller who leaves a slow upstream does not count against it", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  await using upstream = startUpstream(async () => {
    asked++;
    await released;
    return whole();
  });
  await using gateway = await startBefore(upstream, {
    credentials: ["k1"],
    models: ["m"],
    breakerOpenMs: longMs,
  });
  for (let n = 0; n < failuresFirst; n++) {
    const leaving = new AbortController();
    const left = call(gateway, { model: "m", bytes: 200_000, signal: leaving.signal }).catch(
      () => {},
    );
    await until(() => asked > n);
    leaving.abort();
    await left;
  }
  release();
  const { health } = gateway.parts.gateway;
  await until(() => health.running("u") === 0);
  assertEquals(
    health.snapshot().filter(({ state, failures }) => state !== "closed" || failures > 0),
    [],
  );
  assertEquals((await call(gateway, { model: "m", bytes: 200_000 })).status, 200);
});

interface Answered {
  readonly status: number;
  readonly code?: string;
  readonly retryAfter: number;
  readonly tookMs: number;
}

async function call(
  { base, key }: TestGateway,
  { model, bytes = 20_000, word = "usual", signal }: {
    readonly model: string;
    readonly bytes?: number;
    readonly word?: string;
    readonly signal?: AbortSignal;
  },
): Promise<Answered> {
  const content = `${word} ${"tell me more of it. ".repeat(bytes / 20)}`;
  const startedAt = performance.now();
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: "user", content }] }),
    ...(signal && { signal }),
  });
  const body = await response.json();
  return {
    status: response.status,
    code: body.error?.code,
    retryAfter: Number(response.headers.get("retry-after")),
    tookMs: performance.now() - startedAt,
  };
}

function startBefore(
  { base }: FakeUpstream,
  { credentials, models, breakerOpenMs }: Omit<Scene, "name">,
): Promise<TestGateway> {
  return startGateway({
    limits: { breakerOpenMs, breakerCallsMax: callsMax },
    upstreams: [{
      id: "u",
      endpoints: { "chat-completions": base },
      apiKeys: credentials,
      models,
    }],
  });
}

function refusal(retryAfter?: string): Response {
  const headers = {
    "content-type": "application/json",
    ...(retryAfter !== undefined && { "retry-after": retryAfter }),
  };
  const status = retryAfter === undefined ? 500 : 503;
  return new Response('{"error":{"message":"It is down"}}', { status, headers });
}

function whole(): Response {
  return Response.json(
    chatAnswer({ content: "Hi" }, {
      usage: { prompt_tokens: 5_000, completion_tokens: 1, total_tokens: 5_001 },
    }),
  );
}

/** Each failure is a line of the operator's log. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const loud = console.error;
  console.error = () => {};
  try {
    await work();
  } finally {
    console.error = loud;
  }
}

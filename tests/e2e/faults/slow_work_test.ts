import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { loadConfig } from "../../../lib/config.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import { signsIn } from "../conversion/signs_of_life.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { type FaultUpstream, type Inject, startFaultUpstream } from "./fault_upstream.ts";
import { postTo } from "./faulty_gateway.ts";
import { json, pause, properly, sayHalf, sse } from "./injections.ts";
import { judgeStream, judgeWhole } from "./judged.ts";
import { story } from "./proper_answer.ts";
import { rowOf } from "./settled.ts";

/** Slow work under the default timeouts, with all times divided by 100. */

const faster = 100;
const second = 1_000 / faster;
/** The words of a refusal are waited for less long. */
const refusalMsMax = 20_000;

/** The slow part of the work, and how the upstream says it. */
const works: readonly {
  readonly name: string;
  readonly stream: boolean;
  readonly inject: Inject;
}[] = [
  {
    name: "a whole answer after 130 s",
    stream: false,
    inject: async (exchange) => {
      await pause(130 * second);
      await properly(exchange);
    },
  },
  {
    name: "a whole answer after 500 s",
    stream: false,
    inject: async (exchange) => {
      await pause(500 * second);
      await properly(exchange);
    },
  },
  {
    name: "a whole answer 400 s behind its headers",
    stream: false,
    inject: async ({ connection, answer }) => {
      await connection.begin(json);
      await pause(400 * second);
      await connection.chunk(answer.whole);
      await connection.end();
    },
  },
  {
    name: "a stream that is silent for 400 s after its headers",
    stream: true,
    inject: async ({ connection, answer }) => {
      await connection.begin(sse);
      await pause(400 * second);
      await connection.chunk([answer.opening, ...answer.deltas, answer.closing].join(""));
      await connection.end();
    },
  },
  {
    name: "a stream that is silent for 240 s in its middle",
    stream: true,
    inject: async (exchange) => {
      await sayHalf(exchange);
      await pause(240 * second);
      const { connection, answer } = exchange;
      await connection.chunk([...answer.deltas.slice(2), answer.closing].join(""));
      await connection.end();
    },
  },
  {
    name: "a stream that goes on for twenty minutes",
    stream: true,
    inject: async (exchange) => {
      const { connection, answer } = exchange;
      await sayHalf(exchange);
      for (const delta of answer.deltas.slice(2)) {
        for (let n = 0; n < 3; n++, await pause(130 * second)) {
          await connection.chunk(": alive\n\n");
        }
        await connection.chunk(delta);
      }
      await connection.chunk(answer.closing);
      await connection.end();
    },
  },
];

const otherOf: Readonly<Record<FormatName, FormatName>> = {
  "chat-completions": "messages",
  messages: "responses",
  responses: "generate-content",
  "generate-content": "chat-completions",
};

for (const { name, stream, inject } of works) {
  Deno.test(`slow work: ${name} arrives in every format`, async () => {
    await using upstream = startFaultUpstream([{ name: "slow", inject }]);
    await using gateway = await startFast(upstream, ["slow"]);
    const pairs = formatNames.flatMap((caller) =>
      [caller, otherOf[caller]].map((spoken) => ({ caller, spoken }))
    );
    const ends = await Promise.all(pairs.map(async ({ caller, spoken }) => {
      const response = await postTo(gateway, caller, { model: `slow@${spoken}`, stream });
      const body = await textSoFar(response);
      if (response.status !== 200) return `${spoken} for ${caller}: ${response.status} ${body}`;
      const judged = stream ? judgeStream(caller, body) : judgeWhole(caller, body);
      const { outcome } = await rowOf(gateway, response.headers.get("x-request-id"));
      const isSound = judged.text === story.join("") && judged.problems.length === 0;
      return isSound && outcome === "completed" ? "sound" : `${spoken} for ${caller}: ${body}`;
    }));
    assertEquals(ends, ends.map(() => "sound"));
  });
}

Deno.test("slow work: signs of life go on while a stream is silent for 400 s", async () => {
  const [{ inject }] = works.filter(({ name }) => name.includes("after its headers"));
  await using upstream = startFaultUpstream([{ name: "slow", inject }]);
  await using gateway = await startFast(upstream, ["slow"]);
  for (const caller of formatNames) {
    const response = await postTo(gateway, caller, { model: `slow@${caller}`, stream: true });
    const signs = signsIn(await textSoFar(response));
    assert(
      signs >= 20,
      `${caller}: ${signs} signs of life in 400 s, one of which is due every 10 s`,
    );
  }
});

Deno.test("slow work: an upstream that says nothing for 600 s is given up for the next one", async () => {
  const silent: Inject = ({ connection }) => connection.left();
  await using upstream = startFaultUpstream([
    { name: "silent", inject: silent },
    { name: "healthy", inject: properly },
  ]);
  await using gateway = await startFast(upstream, ["silent", "healthy"]);
  const response = await postTo(gateway, "messages", { model: "silent@messages", stream: false });
  assertEquals([response.status, judgeWhole("messages", await textSoFar(response)).text], [
    200,
    story.join(""),
  ]);
});

Deno.test("slow work: a refusal whose body never comes is not waited for, and the next upstream is asked", async () => {
  const hanging: Inject = async ({ connection }) => {
    await connection.head(500, { "content-type": json, "content-length": "100" });
    await connection.left();
  };
  await using upstream = startFaultUpstream([
    { name: "hanging", inject: hanging },
    { name: "healthy", inject: properly },
  ]);
  await using gateway = await startGateway({
    upstreams: ["hanging", "healthy"].map((id, at) => ({
      id,
      endpoints: { messages: upstream.base(id, "messages") },
      models: ["m"],
      priority: -at,
    })),
  });
  const startedAt = performance.now();
  const response = await postTo(gateway, "messages", { model: "m", stream: false });
  const { attempts } = await rowOf(gateway, response.headers.get("x-request-id"));
  await response.body?.cancel();
  assertEquals(attempts?.map(({ errorCode }) => errorCode), ["upstream_error", undefined]);
  assert(performance.now() - startedAt < refusalMsMax);
});

/** A gateway with the default timeouts and deadlines, each divided. */
function startFast(
  upstream: FaultUpstream,
  names: readonly string[],
): Promise<TestGateway> {
  const { limits, upstreams: [{ timeouts }] } = loadConfig({
    OPENAI_API_KEY: "sk-of-a-vendor-0123",
  });
  const timed = Object.entries(limits).filter(([name]) => dividedLimits.includes(name));
  return startGateway({
    limits: divided(Object.fromEntries(timed)),
    upstreams: formatNames.flatMap((format) =>
      names.map((name, at) => ({
        id: `${name}-${format}`,
        endpoints: { [format]: upstream.base(name, format) },
        models: [`*@${format}`],
        priority: -at,
        timeouts: divided({ ...timeouts, connectMs: timeouts.connectMs * faster }),
      }))
    ),
  });
}

const dividedLimits = ["attemptsDeadlineMs", "attemptsWaitMs", "sseKeepAliveMs", "answerTailMs"];

function divided(times: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(times).map(([name, ms]) => [name, Math.round(Number(ms) / faster)]),
  );
}

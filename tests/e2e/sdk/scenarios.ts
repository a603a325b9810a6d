import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { type Told, toolName } from "./matrix_client.ts";
import type { Stage } from "./pair.ts";

/** What every SDK does on every upstream. */
export interface Scenario {
  readonly name: string;
  /** Whether its streams end before their time. */
  readonly cut?: boolean;
  /** Whether it puts its upstream out of use, so that no other may follow there. */
  readonly spoils?: boolean;
  readonly run: (stage: Stage) => Promise<void>;
}

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const oslo = `call ${toolName} {"city":"Oslo"}`;
const both = `${oslo}\ncall ${toolName} {"city":"Rome","days":2}`;
const whole = { stream: false };
const streamed = { stream: true };
const abortMsMax = 100;

/** All of them, in the order of what they need. */
export const scenarios: readonly Scenario[] = [
  {
    name: "text, whole and streamed the same",
    run: async ({ start }) => {
      const answers: Told[] = [];
      await eachWay(async (way) => {
        const talk = start({ system: "Be brief." });
        talk.say("Grüße, 世界 👋🏽");
        answers.push(await talk.ask(way));
      });
      for (const { text, finish } of answers) {
        assertStringIncludes(text, "You said: Grüße, 世界 👋🏽");
        assertEquals(finish, "stop");
      }
      assertEquals(answers[0].text, answers[1].text);
    },
  },
  ...(["plain", "thinking", "other"] as const).map((use): Scenario => ({
    name: `text of the upstream's ${use} model`,
    run: async ({ start }) => {
      const talk = start({}, use);
      talk.say("hello");
      assertStringIncludes((await talk.ask(streamed)).text, "You said: hello");
    },
  })),
  {
    name: "one call, whole and streamed",
    run: ({ start }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true });
        talk.say(oslo);
        assertCalls(await talk.ask(way), [{ city: "Oslo" }]);
      }),
  },
  {
    name: "two parallel calls, whole and streamed",
    run: ({ start }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true });
        talk.say(both);
        assertCalls(await talk.ask(way), [{ city: "Oslo" }, { city: "Rome", days: 2 }]);
      }),
  },
  {
    name: "a forced call without arguments",
    run: ({ start }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true, forced: true });
        talk.say("do as you like");
        assertCalls(await talk.ask(way), [{}]);
      }),
  },
  ...(["plain", "other"] as const).map((use): Scenario => ({
    name: `several turns with the results of calls, ${use} model`,
    run: ({ start, pair: { client: { wordsOfResult: words = same } } }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true, system: "Be brief." }, use);
        talk.say("hello");
        await talk.ask(way);
        talk.say(both);
        await talk.ask(way);
        talk.answerCalls([{ text: "cold" }, { text: 'Error: no such "city"' }]);
        const { text, finish } = await talk.ask(way);
        const [cold, unknown] = ["cold", 'Error: no such "city"'].map(words);
        assertEquals(text, `${toolName} told "${cold}"; ${toolName} told "${unknown}".`);
        assertEquals(finish, "stop");
        talk.say("thanks");
        assertStringIncludes((await talk.ask(way)).text, "You said: thanks");
      }),
  })),
  {
    name: "an empty result",
    run: async ({ start, pair: { client: { wordsOfResult: words = same } } }) => {
      const talk = start({ tools: true });
      talk.say(oslo);
      await talk.ask(whole);
      talk.answerCalls([{ text: "" }]);
      assertEquals((await talk.ask(whole)).text, `${toolName} told "${words("")}".`);
    },
  },
  {
    name: "a picture",
    run: async ({ start }) => {
      const talk = start({});
      talk.say("what is it", png);
      assertStringIncludes((await talk.ask(whole)).text, "[saw image/png]");
    },
  },
  {
    name: "a picture in a result",
    run: async ({ start, pair: { client } }) => {
      const talk = start({ tools: true });
      talk.say(oslo);
      await talk.ask(whole);
      talk.answerCalls([{ text: "see", ...(client.showsImagesInResults && { imagePng: png }) }]);
      const { text } = await talk.ask(whole);
      if (client.showsImagesInResults) assertStringIncludes(text, "and showed 1");
      assertStringIncludes(text, "see");
    },
  },
  {
    name: "an answer to a JSON schema",
    run: ({ start }) =>
      eachWay(async (way) => {
        const talk = start({ schema: true });
        talk.say("Oslo");
        const { text } = await talk.ask(way);
        assertEquals(JSON.parse(text), { city: "sample", warm: true });
      }),
  },
  {
    name: "reasoning whose proof comes home in the tool loop",
    run: (stage) =>
      eachWay(async (way) => {
        const talk = stage.start({ tools: true, thinks: true }, "thinking");
        talk.say(oslo);
        const first = await talk.ask(way);
        assertCalls(first, [{ city: "Oslo" }]);
        assertEquals(first.thought, `${stage.pair.format} thinks about: ${oslo}`);
        talk.answerCalls([{ text: "cold" }]);
        const { wordsOfResult: words = same } = stage.pair.client;
        assertStringIncludes((await talk.ask(way)).text, `${toolName} told "${words("cold")}"`);
        assertEquals(stage.upstream.seen.at(-1)?.proofs.length, 1, "one proof came home");
        talk.say("thanks");
        assertStringIncludes((await talk.ask(way)).text, "You said: thanks");
      }),
  },
  {
    name: "reasoning of another vendor stays away, and comes home when asked there again",
    run: async ({ pair: { format, upstreams, client }, start, modelOf }) => {
      const { wordsOfResult: words = same } = client;
      const here = { ...whole, model: modelOf(format, "thinking") };
      for (const other of formatNames.filter((name) => name !== format)) {
        const there = { ...whole, model: modelOf(other, "thinking") };
        const talk = start({ tools: true, thinks: true });
        talk.say(oslo);
        await talk.ask(there);
        talk.answerCalls([{ text: "cold" }]);
        assertStringIncludes((await talk.ask(here)).text, `told "${words("cold")}"`);
        assertEquals(upstreams[format].seen.at(-1)?.proofs, [], `a proof of ${other} got out`);
        talk.say("thanks");
        assertStringIncludes((await talk.ask(there)).text, "You said: thanks");
        assertEquals(upstreams[other].seen.at(-1)?.proofs.length, 1, `${other} got its proof back`);
      }
    },
  },
  {
    name: "usage, whole and streamed",
    run: ({ start, upstream }) =>
      eachWay(async (way) => {
        const talk = start({ thinks: true, tools: true }, "thinking");
        talk.say(oslo);
        const { usage } = await talk.ask(way);
        const counts = upstream.seen.at(-1)?.counts;
        assert(counts);
        assertEquals(usage, {
          input: counts.input + counts.cacheRead + counts.cacheWrite,
          cacheRead: counts.cacheRead,
          ...(usage.cacheWrite !== undefined && { cacheWrite: counts.cacheWrite }),
          output: counts.output + counts.reasoning,
          reasoning: counts.reasoning,
        });
        assert(counts.reasoning > 0);
      }),
  },
  ...[400, 429, 500, 503].map((status): Scenario => ({
    name: `a failure with ${status}`,
    spoils: true,
    run: ({ start, pair: { client } }) =>
      eachWay(async (way) => {
        const talk = start({});
        talk.say(`fail ${status}`);
        const error = await talk.ask(way).then(() => undefined, (error: unknown) => error);
        const told = client.statusOf(error);
        const fits = status < 500 ? told === status : told !== undefined && told >= 500;
        assert(fits, `the SDK told ${told}: ${error}`);
        assertStringIncludes(client.requestIdOf(error) ?? "", "req_");
      }),
  })),
  {
    name: "hanging up midway reaches the upstream",
    cut: true,
    spoils: true,
    run: async ({ start, upstream }) => {
      const talk = start({});
      talk.say("hang");
      const abort = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      const listening = talk.listen(abort.signal, resolve).then(() => {}, () => {});
      await promise;
      const left = performance.now();
      abort.abort();
      const ms = await upstream.aborted - left;
      assert(ms >= 0 && ms <= abortMsMax, `the upstream heard of it after ${ms} ms`);
      await listening;
    },
  },
];

function same(text: string): string {
  return text;
}

function assertCalls({ calls, finish }: Told, args: readonly unknown[]): void {
  assertEquals(calls, args.map((one) => ({ name: toolName, args: one })));
  assertEquals(finish, "tools");
}

async function eachWay(run: (way: { stream: boolean }) => Promise<void>): Promise<void> {
  for (const way of [whole, streamed]) await run(way);
}

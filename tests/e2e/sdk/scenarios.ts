import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { answerScenarios } from "./answer_scenarios.ts";
import { endingScenarios } from "./ending_scenarios.ts";
import type { MatrixClient, SdkAnswer } from "./matrix.ts";
import { weatherTool } from "./matrix_request.ts";
import { requestScenarios } from "./request_scenarios.ts";
import { assertCalls, both, eachWay, oslo, type Scenario, streamed, whole } from "./scenario.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * Those that an SDK of a format passes on an upstream; `vendorsOwn` says whether it is the vendor's
 * of TypeScript.
 */
export function scenariosOf(
  { format: from }: Pick<MatrixClient, "format">,
  to: FormatName,
  { vendorsOwn }: { readonly vendorsOwn: boolean },
): readonly Scenario[] {
  return scenarios.filter((one) =>
    (one.callers?.includes(from) ?? true) && (one.upstreams?.includes(to) ?? true) &&
    (vendorsOwn || !one.vendorsOwn)
  );
}

/** Scenarios of every SDK on every upstream. */
const basicScenarios: readonly Scenario[] = [
  {
    name: "text, whole and streamed the same",
    run: async ({ start }) => {
      const answers: SdkAnswer[] = [];
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
    run: ({ start }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true, system: "Be brief." }, use);
        talk.say("hello");
        await talk.ask(way);
        talk.say(both);
        await talk.ask(way);
        talk.answerCalls([{ text: "cold" }, { text: 'Error: no such "city"' }]);
        const { text, finish } = await talk.ask(way);
        assertEquals(
          text,
          `${weatherTool.name} told "cold"; ${weatherTool.name} told "Error: no such "city"".`,
        );
        assertEquals(finish, "stop");
        talk.say("thanks");
        assertStringIncludes((await talk.ask(way)).text, "You said: thanks");
      }),
  })),
  {
    name: "an empty result",
    run: async ({ start }) => {
      const talk = start({ tools: true });
      talk.say(oslo);
      await talk.ask(whole);
      talk.answerCalls([{ text: "" }]);
      assertEquals((await talk.ask(whole)).text, `${weatherTool.name} told "".`);
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
        assertStringIncludes((await talk.ask(way)).text, `${weatherTool.name} told "cold"`);
        assertEquals(stage.upstream.seen.at(-1)?.proofs.length, 1, "one proof came home");
        talk.say("thanks");
        assertStringIncludes((await talk.ask(way)).text, "You said: thanks");
      }),
  },
  {
    name: "reasoning of another vendor stays away, and comes home when asked there again",
    run: async ({ pair: { format, upstreams }, start, modelOf }) => {
      const here = { ...whole, model: modelOf(format, "thinking") };
      for (const other of formatNames.filter((name) => name !== format)) {
        const there = { ...whole, model: modelOf(other, "thinking") };
        const talk = start({ tools: true, thinks: true });
        talk.say(oslo);
        await talk.ask(there);
        talk.answerCalls([{ text: "cold" }]);
        assertStringIncludes((await talk.ask(here)).text, `told "cold"`);
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
];

const scenarios: readonly Scenario[] = [
  ...basicScenarios,
  ...answerScenarios,
  ...requestScenarios,
  ...endingScenarios,
];

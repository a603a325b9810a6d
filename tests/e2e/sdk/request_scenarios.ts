import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { weatherTool } from "./matrix_request.ts";
import { assertCalls, both, eachWay, oslo, type Scenario, whole } from "./scenario.ts";

/** Vendors cache no short prompt. */
const longText = "Answer in one short sentence, and name the city. ".repeat(2000);

/** Requests that conversions once lost something of. */
export const requestScenarios: readonly Scenario[] = [
  {
    name: "results of parallel calls, then words of the user, under tessera-strict",
    vendorsOwn: true,
    run: ({ start, upstream }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true, strict: true, system: "Be brief." });
        talk.say(both);
        assertCalls(await talk.ask(way), [{ city: "Oslo" }, { city: "Rome", days: 2 }]);
        talk.answerCalls([{ text: "cold" }, { text: "warm" }]);
        talk.say("and now?");
        const { text, finish } = await talk.ask(way);
        assert(text !== "");
        assertEquals(finish, "stop");
        assertEquals(upstream.seen.at(-1)?.prompt?.answered, 2, "both results arrived");
        assertStringIncludes(JSON.stringify(upstream.seen.at(-1)?.body), "and now?");
      }),
  },
  {
    name: "a prompt of system text alone",
    callers: ["chat-completions", "responses"],
    vendorsOwn: true,
    run: ({ start }) =>
      eachWay(async (way) => {
        const { text, finish } = await start({ system: "Greet the user." }).ask(way);
        assert(text !== "");
        assertEquals(finish, "stop");
      }),
  },
  {
    name: "thoughts requested without an effort",
    callers: ["generate-content"],
    vendorsOwn: true,
    run: ({ start, pair: { format } }) =>
      eachWay(async (way) => {
        const talk = start({ showsThoughts: true }, "thinking");
        talk.say("hello");
        assertEquals((await talk.ask(way)).thought, `${format} thinks about: hello`);
      }),
  },
  ...[
    { by: "the Python SDK", response: { result: "cold" } },
    { by: "the SDK for MCP", response: { content: [{ type: "text", text: "cold" }] } },
  ].map(({ by, response }): Scenario => ({
    name: `results as ${by} wraps them`,
    callers: ["generate-content"],
    vendorsOwn: true,
    run: async ({ start }) => {
      const talk = start({ tools: true });
      talk.say(oslo);
      await talk.ask(whole);
      talk.answerCalls([{ text: "cold", response }]);
      assertEquals((await talk.ask(whole)).text, `${weatherTool.name} told "cold".`);
    },
  })),
  {
    name: "a forced call of a tool by its name",
    vendorsOwn: true,
    run: ({ start }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true, forced: weatherTool.name });
        talk.say("do as you like");
        assertCalls(await talk.ask(way), [{}]);
      }),
  },
  {
    name: "a forced call of a model that thinks",
    callers: formatNames.filter((format) => format !== "messages"), // its vendor refuses both at once
    run: ({ start }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true, forced: true, thinks: true }, "thinking");
        talk.say("do as you like");
        assertCalls(await talk.ask(way), [{}]);
      }),
  },
  {
    name: "a prompt that is cached, in the usage",
    callers: formatNames.filter((format) => format !== "messages"), // its callers set breakpoints themselves
    vendorsOwn: true,
    run: ({ start, upstream }) =>
      eachWay(async (way) => {
        const talk = start({ system: longText, tools: true });
        talk.say(oslo);
        await talk.ask(way);
        talk.answerCalls([{ text: "cold" }]);
        const { usage: { cacheRead } } = await talk.ask(way);
        assertEquals(cacheRead, upstream.seen.at(-1)?.counts?.cacheRead);
        assert(cacheRead > 0, "nothing was read from the cache");
      }),
  },
  {
    name: "the description of an answer's JSON schema",
    callers: ["chat-completions", "responses"],
    vendorsOwn: true,
    run: ({ start, upstream }) =>
      eachWay(async (way) => {
        const description = "The place that the user named";
        const talk = start({ schema: true, describes: description });
        talk.say("Oslo");
        const { text } = await talk.ask(way);
        assertEquals(JSON.parse(text), { city: "sample", warm: true });
        assertStringIncludes(JSON.stringify(upstream.seen.at(-1)?.body), description);
      }),
  },
];

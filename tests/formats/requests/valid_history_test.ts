import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { repairTurns } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** Histories that a format's vendor accepts need no repair, so strict callers are served. */

interface Answered {
  readonly id: string;
  readonly output: string;
}

/** One exchange: a user's text, then rounds of parallel calls, then the model's text. */
interface Exchange {
  readonly asked: string;
  readonly rounds: readonly {
    readonly said: string;
    readonly calls: readonly Answered[];
    /** The results in the order of their arrival. */
    readonly results: readonly Answered[];
    /** Text that the user adds after the results. */
    readonly added: string;
  }[];
  readonly answered: string;
}

const words = fc.string({ minLength: 1, maxLength: 40 }).map((text) => `w${text}`);
const perhaps = fc.oneof(fc.constant(""), words);
const callsOf = (ids: readonly string[]) =>
  fc.tuple(...ids.map((id) => perhaps.map((output): Answered => ({ id, output }))));

const round = fc.integer({ min: 1, max: 4 }).chain((count) =>
  fc.record({
    said: perhaps,
    calls: callsOf(Array.from({ length: count }, (_, at) => `call_${at}`)),
    added: perhaps,
  })
).chain((round) =>
  fc.shuffledSubarray([...round.calls], { minLength: round.calls.length }).map((results) => ({
    ...round,
    results,
  }))
);
const exchange = fc.record({
  asked: words,
  rounds: fc.array(round, { maxLength: 3 }),
  answered: words,
});
const history = fc.array(exchange, { minLength: 1, maxLength: 4 });

/** Ids that are used once; the vendor of messages accepts no others. */
function withOwnIds(history: readonly Exchange[]): Exchange[] {
  return history.map((exchange, at) => ({
    ...exchange,
    rounds: exchange.rounds.map((round, roundAt) => {
      const own = ({ id, output }: Answered) => ({ id: `${id}_${at}_${roundAt}`, output });
      return { ...round, calls: round.calls.map(own), results: round.results.map(own) };
    }),
  }));
}

const writers = {
  "chat-completions": (history) => ({
    messages: history.flatMap(({ asked, rounds, answered }) => [
      { role: "user", content: asked },
      ...rounds.flatMap(({ said, calls, results, added }) => [
        {
          role: "assistant",
          content: said,
          tool_calls: calls.map(({ id }) => ({
            id,
            type: "function",
            function: { name: "look", arguments: "{}" },
          })),
        },
        ...results.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output })),
        ...(added === "" ? [] : [{ role: "user", content: added }]),
      ]),
      { role: "assistant", content: answered },
      { role: "user", content: "" },
      { role: "user", content: "go on" },
    ]),
  }),
  responses: (history) => ({
    input: withOwnIds(history).flatMap(({ asked, rounds, answered }) => [
      { role: "user", content: asked },
      ...rounds.flatMap(({ said, calls, results, added }) => [
        { role: "assistant", content: [{ type: "output_text", text: said, annotations: [] }] },
        ...calls.map(({ id }) => ({
          type: "function_call",
          call_id: id,
          name: "look",
          arguments: "{}",
        })),
        { type: "shell_call_output", call_id: "sh", output: [] },
        ...results.map(({ id, output }) => ({
          type: "function_call_output",
          call_id: id,
          output,
        })),
        ...(added === "" ? [] : [{ role: "user", content: added }]),
      ]),
      { role: "assistant", content: answered },
      { role: "user", content: "go on" },
    ]),
  }),
  messages: (history) => ({
    max_tokens: 9,
    messages: withOwnIds(history).flatMap(({ asked, rounds, answered }) => [
      { role: "user", content: asked },
      ...rounds.flatMap(({ said, calls, results, added }) => [
        ...(said === "" ? [] : [{ role: "assistant", content: said }]),
        {
          role: "assistant",
          content: calls.map(({ id }) => ({ type: "tool_use", id, name: "look", input: {} })),
        },
        {
          role: "user",
          content: [
            ...results.map(({ id, output }) => ({
              type: "tool_result",
              tool_use_id: id,
              content: output,
            })),
            ...(added === "" ? [] : [{ type: "text", text: added }]),
          ],
        },
      ]),
      { role: "assistant", content: answered },
      { role: "user", content: "go on" },
    ]),
  }),
  "generate-content": (history) => ({
    contents: history.flatMap(({ asked, rounds, answered }) => [
      { role: "user", parts: [{ text: asked }] },
      ...rounds.flatMap(({ said, calls, results, added }) => [
        {
          role: "model",
          parts: [
            ...(said === "" ? [] : [{ text: said }]),
            ...calls.map(({ id }) => ({ functionCall: { id, name: "look", args: {} } })),
          ],
        },
        {
          role: "user",
          parts: [
            ...results.map(({ id, output }) => ({
              functionResponse: { id, name: "look", response: { output } },
            })),
            ...(added === "" ? [] : [{ text: added }]),
          ],
        },
      ]),
      { role: "model", parts: [{ text: answered }, { text: "" }] },
      { role: "user", parts: [{ text: "go on" }] },
    ]),
  }),
} as const satisfies Record<FormatName, (history: readonly Exchange[]) => JsonObject>;

function repairsOf(format: FormatName, history: readonly Exchange[]) {
  const body = { model: "m", ...writers[format](history) };
  const path = format === "generate-content" ? "/models/m:generateContent" : "";
  const wire = { path, search: {}, headers: {}, body: JSON.parse(JSON.stringify(body)) };
  return repairTurns(codecs[format].decodeRequest(wire)).notes;
}

for (const format of formatNames) {
  Deno.test(`repairTurns law: a valid history of ${format} has no note`, () => {
    fc.assert(
      fc.property(history, (history) => assertEquals(repairsOf(format, history), [])),
      { numRuns: 300 },
    );
  });

  Deno.test(`a valid history of ${format} with 120 rounds of parallel calls and 400 kB has no note`, () => {
    const long = Array.from({ length: 40 }, () => ({
      asked: "Look at the logs",
      rounds: Array.from({ length: 3 }, () => {
        const calls = ["a", "b"].map((id) => ({ id, output: "log line ".repeat(190) }));
        return { said: "", calls, results: calls.toReversed(), added: "Go on" };
      }),
      answered: "Done",
    }));
    assertEquals(repairsOf(format, long), []);
  });
}

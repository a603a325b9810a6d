import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type CanonicalEvent,
  collect,
  eventsOf,
  noUsage,
  type Part,
  StopScanner,
} from "../../lib/canonical/mod.ts";

const usageOf = (delivered: string) => ({ ...noUsage, outputTokens: delivered.length });

/** The events of an answer whose only text arrives in these pieces. */
function streamed(pieces: readonly string[]): CanonicalEvent[] {
  return [
    { type: "start", id: "x", model: "m" },
    { type: "part-start", index: 0, part: { type: "text", text: "" } },
    ...pieces.map((text): CanonicalEvent => ({ type: "part-delta", index: 0, text })),
    { type: "part-end", index: 0 },
    { type: "usage", usage: usageOf(pieces.join("")) },
    { type: "end", endings: [{ finishReason: "stop" }] },
  ];
}

function cut(events: Iterable<CanonicalEvent>, stops: readonly string[]) {
  const scanner = new StopScanner(stops, usageOf);
  return collect([...events].flatMap((event) => scanner.push(event)));
}

const textOf = (parts: readonly Part[]) =>
  parts.map((part) => part.type === "text" ? part.text : "").join("");

const cases = [
  { name: "in one piece", pieces: ["one END two"], stops: ["END"], text: "one ", stop: "END" },
  {
    name: "over two pieces",
    pieces: ["one E", "ND two"],
    stops: ["END"],
    text: "one ",
    stop: "END",
  },
  { name: "at the very end", pieces: ["one END"], stops: ["END"], text: "one ", stop: "END" },
  { name: "at the very beginning", pieces: ["END"], stops: ["END"], text: "", stop: "END" },
  { name: "the earlier of two", pieces: ["a b c"], stops: ["c", "b"], text: "a ", stop: "b" },
  {
    name: "the one that is complete first",
    pieces: ["a bcd"],
    stops: ["bc", "bcd"],
    text: "a ",
    stop: "bc",
  },
  {
    name: "not a beginning that goes on otherwise",
    pieces: ["one EN", "TER"],
    stops: ["END"],
    text: "one ENTER",
    stop: undefined,
  },
  { name: "not an empty one", pieces: ["one"], stops: [""], text: "one", stop: undefined },
];

for (const { name, pieces, stops, text, stop } of cases) {
  Deno.test(`StopScanner finds a stop sequence ${name}`, () => {
    const [answer] = cut(streamed(pieces), stops).alternatives;
    assertEquals(textOf(answer.parts), text);
    assertEquals(
      [answer.finishReason, answer.stopSequence],
      stop ? ["stop-sequence", stop] : ["stop", undefined],
    );
  });
}

Deno.test("StopScanner counts what was delivered, and says that it counted", () => {
  const scanner = new StopScanner(["END"], usageOf);
  const events = streamed(["four", "END and more"]).flatMap((event) => scanner.push(event));
  assertEquals(events.filter(({ type }) => type === "usage"), [{
    type: "usage",
    usage: usageOf("four"),
    counted: true,
  }]);
});

Deno.test("StopScanner leaves thoughts and calls alone", () => {
  const parts: Part[] = [
    { type: "reasoning", text: "END", visibility: "raw" },
    { type: "tool-call", id: "c", name: "END", arguments: '{"a":"END"}', kind: "function" },
    { type: "text", text: "fine" },
  ];
  const whole = { id: "x", model: "m", alternatives: [{ parts, finishReason: "stop" as const }] };
  assertEquals(cut(eventsOf(whole), ["END"]), whole);
});

Deno.test("StopScanner gives the same however the text is cut into pieces", () => {
  const piece = fc.stringMatching(/^[abE]{0,6}$/);
  fc.assert(
    fc.property(
      fc.array(piece),
      fc.array(fc.stringMatching(/^[abE]{1,4}$/), { minLength: 1, maxLength: 3 }),
      (pieces, stops) => {
        const whole = cut(streamed([pieces.join("")]), stops).alternatives;
        assertEquals(cut(streamed(pieces), stops).alternatives, whole);
        assertEquals(stops.some((stop) => textOf(whole[0].parts).includes(stop)), false);
      },
    ),
  );
});

Deno.test("StopScanner delivers a token with its text, and none of a text that it cuts", () => {
  const word = fc.constantFrom("a", " b", "EN", "D", "END", "é", "🐦");
  fc.assert(fc.property(fc.array(word, { maxLength: 30 }), fc.boolean(), (words, hasPieces) => {
    const tokens = words.map((token) => ({ token, logprob: -1, top: [] }));
    const [start, open, ...rest] = streamed([]);
    const delta = (index: number): CanonicalEvent => ({
      type: "part-delta",
      index: 0,
      text: words[index],
      logprobs: [tokens[index]],
    });
    const whole: CanonicalEvent = {
      type: "part-delta",
      index: 0,
      text: words.join(""),
      logprobs: tokens,
    };
    const deltas = hasPieces ? words.map((_, index) => delta(index)) : [whole];
    const { alternatives: [{ parts: [part] }] } = cut([start, open, ...deltas, ...rest], ["END"]);
    if (part.type !== "text") throw new TypeError("the part must be a text");
    const said = (part.logprobs ?? []).map(({ token }) => token);
    let expected = "";
    const fit = words.slice(
      0,
      words.findIndex((one) => (expected += one) && !part.text.startsWith(expected)),
    );
    assertEquals(said, part.text === words.join("") ? words : fit);
  }));
});

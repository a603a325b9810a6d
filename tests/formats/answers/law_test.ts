import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { modelOf, type RecordedCase, recordedCases, wireOf } from "../recorded_wire.ts";
import { type HarmlessRow, harmlessRows } from "./harmless.ts";
import { type Answered, judged } from "./law.ts";
import { samples } from "./samples/mod.ts";
import { lawRequest } from "./samples/request.ts";
import { streamOf } from "./streams.ts";
import { unwordedRows } from "./unworded.ts";
import { wireAnswer } from "./wire_arbitrary.ts";

/**
 * The law of answers: every value in an upstream's bytes is in the bytes for a caller of another
 * format, or named by a note, or explained as harmless by a row of a table; and the caller has the
 * same calls, ending and usage.
 */

/** Answers of each format, each converted to the three others. */
const generatedMax = 25;

/** If the caller reads the text as JSON, no text may replace lost content. */
const request = fc.constantFrom(lawRequest, { ...lawRequest, output: { type: "json" } as const });

const used = new Set<HarmlessRow>();
const tried = { answers: 0, values: 0 };

for (const from of formatNames) {
  for (const { name, wire } of samples[from]) {
    Deno.test(`law of answers: ${from}, ${name}, whole`, () => {
      assertLaw({ from, wire, request: lawRequest });
    });
    Deno.test(`law of answers: ${from}, ${name}, streamed`, () => {
      assertLaw({ from, wire: streamOf[from](wire), request: lawRequest });
    });
  }
}

for (const from of formatNames) {
  Deno.test(`law of answers: ${from}, generated`, () => {
    fc.assert(
      fc.property(wireAnswer(from), fc.boolean(), request, (wire, isStream, request) => {
        assertLaw({ from, wire: isStream ? streamOf[from](wire) : wire, request });
      }),
      { numRuns: generatedMax, seed: 20_261_122 },
    );
  });
}

for (const [name, recorded] of recordedCases()) {
  for (const from of formatNames) {
    if (!recorded[from]) continue;
    Deno.test(`law of answers: ${from}, recorded ${name}`, () => {
      recordedAnswers(recorded, from).forEach(assertLaw);
    });
  }
}

Deno.test("law of answers: every row of the tables explains a value of the samples", () => {
  console.log(`${tried.values} values of ${tried.answers} conversions`);
  const idle = [...harmlessRows, ...unwordedRows].filter((row) => !used.has(row));
  assertEquals(idle.map(({ from, path }) => `${from} ${path}`), []);
});

function assertLaw(answered: Answered): void {
  for (const to of formatNames.filter((to) => to !== answered.from)) {
    const verdict = judged(answered, to);
    assertEquals(verdict.broken, [], `neither said nor noted in ${to}`);
    for (const row of verdict.used) used.add(row);
    tried.answers++;
    tried.values += verdict.leaves;
  }
}

/** The answers of one recorded case, each with its request. */
function recordedAnswers(recorded: RecordedCase, from: FormatName): Answered[] {
  const files = recorded[from]?.files ?? {};
  return ["", "followup-"].flatMap((turn) => {
    const asked = files[`${turn}request`];
    const request = isJsonObject(asked)
      ? codecs[from].decodeRequest(wireOf[from](asked, modelOf(from, recorded[from])))
      : undefined;
    const answers = [files[`${turn}response`], files[`${turn}response-streaming`]];
    return answers.filter((wire) => isJsonObject(wire) || isOwnStream(from, wire))
      .map((wire) => ({ from, wire: wire as Answered["wire"], ...(request && { request }) })); // sound: one of the two
  });
}

/** Some cases contain recordings of another, older API under this name. */
function isOwnStream(from: FormatName, wire: unknown): wire is JsonObject[] {
  if (!Array.isArray(wire)) return false;
  return from !== "responses" || String(wire[0]?.type).startsWith("response.");
}

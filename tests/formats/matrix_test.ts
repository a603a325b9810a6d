import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalRequest,
  collect,
  type FormatName,
  formatNames,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type Note,
  repairTurns,
} from "../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../lib/formats/codec.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { assertValid, contextOf, decoded, encoded } from "./codec_suite.ts";
import { type Difference, differences, essenceOf, isNoted, meaningOf } from "./meaning.ts";
import {
  askedOtherwise,
  conversionRules,
  recordingRules,
  refusedRecordings,
} from "./recorded_differences.ts";
import {
  eventsOfRecorded,
  modelOf,
  type RecordedCase,
  recordedCases,
  wireOf,
} from "./recorded_wire.ts";

/** Converts recorded traffic between every pair of formats: nothing may change without a note or a rule. */

const cases = recordedCases();
const requestFiles = ["request", "followup-request"];
const streamFiles = ["response-streaming", "followup-response-streaming"];
const unexplained = new Map<string, Map<string, number>>();
const usedReasons = new Set<unknown>();

for (const [name, recorded] of cases) {
  for (const from of formatNames) {
    for (const to of formatNames) {
      if (from === to || !recorded[from]) continue;
      Deno.test(`recorded ${name}: a request of ${from} in ${to}`, () => {
        const found = requestFiles.flatMap((file) =>
          unexplainedOf(name, recorded, { from, to, file })
        );
        count(name, `${from} → ${to}`, found.length);
        assertEquals(found.map(textOf), []);
      });
      Deno.test(`recorded ${name}: the answer of ${from} in ${to}`, () => {
        for (const file of streamFiles) {
          const stream = recorded[from]?.files[file];
          if (Array.isArray(stream) && isOwnStream(from, stream)) {
            assertAnswerKept(stream, from, to);
          }
        }
      });
    }
  }
}

Deno.test("recorded: the matrix of cases and pairs", { ignore: cases.size === 0 }, () => {
  printMatrix();
  const left = [...unexplained.values()].flatMap((row) => [...row.values()]);
  assertEquals(left.reduce((sum, one) => sum + one, 0), 0, "unexplained differences");
});

Deno.test(
  "recorded: every reason in the tables explains something",
  { ignore: cases.size === 0 },
  () => {
    const all = [
      ...conversionRules,
      ...Object.values(recordingRules).flat(),
      ...Object.values(refusedRecordings),
      ...Object.values(askedOtherwise).flat(),
    ];
    assertEquals(all.filter((row) => !usedReasons.has(row)).map(({ reason }) => reason), []);
  },
);

interface Leg {
  readonly from: FormatName;
  readonly to: FormatName;
  readonly file: string;
}

/** Changes of one request's conversion that no note explains. */
function unexplainedOf(
  name: string,
  recorded: RecordedCase,
  { from, to, file }: Leg,
): Difference[] {
  const body = recorded[from]?.files[file];
  if (!isJsonObject(body)) return [];
  const source = sourceOf(body, recorded, { from, to });
  const converted = convertedOf(name, source, to);
  if (!converted) return [];
  const meaning = meaningOf(converted.request);
  const left = differences(meaning, meaningOf(source, converted.notes)).filter((one) =>
    !isExplained(one, name, to, converted.notes)
  );
  const other = recorded[to]?.files.request;
  if (file !== "request" || !isJsonObject(other)) return left;
  const asked = meaningOf(decodedRequest(other, recorded, to));
  const beside = differences(meaning, asked).filter((one) =>
    !isExplained(one, name, to, converted.notes) && !isAskedOtherwise(one, name)
  );
  return [...left, ...beside];
}

function decodedRequest(
  body: JsonObject,
  recorded: RecordedCase,
  format: FormatName,
): CanonicalRequest {
  return codecs[format].decodeRequest(wireOf[format](body, modelOf(format, recorded[format])));
}

/** The caller's request for the upstream's codec. */
function sourceOf(
  body: JsonObject,
  recorded: RecordedCase,
  { from, to }: { readonly from: FormatName; readonly to: FormatName },
): CanonicalRequest {
  const request = decodedRequest(body, recorded, from);
  return repairTurns({ ...request, model: modelOf(to, recorded[to]) }).request;
}

/** The converted request, decoded by its own format; undefined if the table expects a refusal. */
function convertedOf(
  name: string,
  source: CanonicalRequest,
  to: FormatName,
): { request: CanonicalRequest; notes: readonly Note[] } | undefined {
  try {
    const { wire, notes } = encodeAtOnce(codecs[to], source);
    return { request: codecs[to].decodeRequest(wire), notes };
  } catch (error) {
    const refused = refusedRecordings[name];
    assert(error instanceof GatewayError && refused?.to.includes(to), `${error}`);
    usedReasons.add(refused);
    return undefined;
  }
}

function isExplained(
  difference: Difference,
  name: string,
  to: FormatName,
  notes: readonly Note[],
): boolean {
  if (isNoted(difference.path, notes)) return true;
  const rule = [...conversionRules, ...recordingRules[name] ?? []].find((rule) =>
    rule.path.test(difference.path) && (rule.to?.includes(to) ?? true) &&
    (rule.is?.(difference, to) ?? true)
  );
  if (rule) usedReasons.add(rule);
  return rule !== undefined;
}

/**
 * True for a difference that the two recordings of a case have from the start, because their
 * requests were not the same. The conversion did not cause it.
 */
function isAskedOtherwise({ path }: Difference, name: string): boolean {
  const row = askedOtherwise[name]?.find((row) => row.path.test(path));
  if (row) usedReasons.add(row);
  return row !== undefined;
}

/** Some cases contain recordings of another, older API under this name. */
function isOwnStream(format: FormatName, stream: readonly JsonObject[]): boolean {
  return format !== "responses" || String(stream[0]?.type).startsWith("response.");
}

function assertAnswerKept(stream: readonly JsonObject[], from: FormatName, to: FormatName): void {
  const events = decoded(codecs[from], eventsOfRecorded(from, stream));
  const context = contextOf({});
  const shown = { ...context.request, reasoning: { effort: "medium", summary: "auto" } as const };
  const wire = encoded(codecs[to], events, { ...context, request: shown });
  assertValid(codecs[to], wire);
  const again = collect(decoded(codecs[to], wire));
  assertEquals(essenceOf(again), essenceOf(collect(events)));
}

function textOf({ path, actual, expected }: Difference): string {
  const text = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 120);
  return `${path}: ${text(actual)} instead of ${text(expected)}`;
}

function count(name: string, pair: string, differences: number): void {
  const row = unexplained.get(name) ?? new Map<string, number>();
  unexplained.set(name, row.set(pair, differences));
}

/** A row for each case, a column for each pair: the number of unexplained differences. */
function printMatrix(): void {
  const short = { "chat-completions": "C", responses: "R", messages: "M", "generate-content": "G" };
  const pairs = formatNames.flatMap((from) =>
    formatNames.filter((to) => to !== from).map((
      to,
    ) => [`${from} → ${to}`, `${short[from]}${short[to]}`])
  );
  console.log(" ".repeat(52) + pairs.map(([, letters]) => letters.padStart(4)).join(""));
  for (const [name, row] of unexplained) {
    const cells = pairs.map(([pair]) => `${row.get(pair) ?? "·"}`.padStart(4));
    console.log(name.slice(0, 50).padEnd(52) + cells.join(""));
  }
}

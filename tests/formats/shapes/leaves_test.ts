import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";
import { rowOf } from "../answers/harmless.ts";
import { type Leaf, leavesOf } from "../answers/wire_leaves.ts";
import { type Conversion, convertedAnswer, convertedRequest } from "./conversion.ts";
import { Sampler, shapes } from "./sampler.ts";
import { silentInAnswers, silentInRequests } from "./silent.ts";

/**
 * Every value in a request or an answer of any type that the SDKs have is sent, noted, refused, or in
 * the table of those that nobody misses. A value is lost if nothing changes without it.
 */

/** Cases of each format; the short run is always the same. */
const runs = Number(Deno.env.get("TESSERA_SHAPES") ?? 40);
const settings = { numRuns: runs, ...(runs <= 40 && { seed: 20_261_129 }) };
const kinds = ["request", "answer"] as const;
const seen = new Set<string>();
let leaves = 0;

for (const from of formatNames) {
  for (const kind of kinds) {
    Deno.test(`leaves: nothing in ${from}, ${kind} is lost in silence (${runs})`, () => {
      const others = formatNames.filter((format) => format !== from);
      fc.assert(
        fc.property(fc.nat(), fc.constantFrom(...others), (seed, to) => {
          const value = new Sampler(seed, seen).value(shapes.roots[`${from} ${kind}`]);
          assert(isJsonObject(value));
          assertEquals(lostIn(value, { from, kind, to }), []);
        }),
        settings,
      );
    });
  }
}

Deno.test("leaves: the values that were sought", () => {
  console.log(`${leaves} values of ${seen.size} types`);
});

interface Way {
  readonly from: FormatName;
  readonly kind: typeof kinds[number];
  readonly to: FormatName;
}

function lostIn(value: JsonObject, way: Way): string[] {
  const convert = (wire: JsonObject) =>
    way.kind === "request"
      ? convertedRequest(wire, way.from, way.to)
      : convertedAnswer({ from: way.from, wire }, way.to);
  const whole = convert(value);
  if (whole.code !== undefined) return []; // refused
  const table = way.kind === "request" ? silentInRequests : silentInAnswers;
  const said = JSON.stringify(whole.sent);
  return leavesOf(value).filter((leaf) => {
    leaves++;
    return !isSent(leaf, said) && !rowOf(table, way.from, leaf) &&
      isLost(value, stepsOf(leaf), { whole, convert });
  }).map(({ path }) => path);
}

/** Every text is another word. */
function isSent({ pieces: [first] }: Leaf, said: string): boolean {
  const [word] = /w\d+x/.exec(String(first)) ?? [];
  return word !== undefined && said.includes(word);
}

interface Search {
  readonly whole: Conversion;
  readonly convert: (wire: JsonObject) => Conversion;
}

/** Leaves out the value, then what holds it: true until something shows the loss. */
function isLost(value: JsonObject, steps: readonly string[], { whole, convert }: Search): boolean {
  for (let length = steps.length; length > 0; length--) {
    const rest = convert(without(value, steps.slice(0, length)) as JsonObject); // sound: an object stays one
    if (JSON.stringify(rest) === JSON.stringify(whole)) continue;
    const isNoted = JSON.stringify(rest.notes) !== JSON.stringify(whole.notes);
    return length < steps.length && !isNoted && rest.code === undefined;
  }
  return true;
}

function stepsOf({ path }: Leaf): string[] {
  return path.replace(/\[(\d+)\]/g, ".$1").split(".").filter((step) => step !== "");
}

function without(value: JsonValue, [step, ...inner]: readonly string[]): JsonValue {
  if (Array.isArray(value)) {
    return inner.length > 0
      ? value.map((item, at) => at === Number(step) ? without(item, inner) : item)
      : value.filter((_, at) => at !== Number(step));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    if (name !== step || member === undefined) return [[name, member ?? null]];
    return inner.length > 0 ? [[name, without(member, inner)]] : [];
  });
  return Object.fromEntries(entries);
}

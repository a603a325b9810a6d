import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";
import { rowOf } from "../answers/harmless.ts";
import { type Leaf, leavesOf } from "../answers/wire_leaves.ts";
import { type Conversion, convertedAnswer, convertedRequest } from "./conversion.ts";
import { silentInAnswers, silentInRequests } from "./silent.ts";

/** The types of a whole body: as the SDK has them, or as the gateway's own schemas do. */
export const bodyKinds = ["request", "schema", "answer"] as const;

/** The kind of a body, its format, and the format that the other side gets. */
export interface Way {
  readonly from: FormatName;
  readonly kind: typeof bodyKinds[number];
  readonly to: FormatName;
}

export function convertedBody(wire: JsonObject, { from, kind, to }: Way): Conversion {
  return kind === "answer" ? convertedAnswer({ from, wire }, to) : convertedRequest(wire, from, to);
}

/** The paths of the values that are neither sent nor noted, and that no table excuses. */
export function lostIn(value: JsonObject, way: Way, whole = convertedBody(value, way)): string[] {
  if (whole.code !== undefined) return []; // refused
  const table = way.kind === "answer" ? silentInAnswers : silentInRequests;
  const convert = (wire: JsonObject) => convertedBody(wire, way);
  const said = JSON.stringify(whole.sent);
  return leavesOf(value).filter((leaf) =>
    !isSent(leaf, said) && !rowOf(table, way.from, leaf) &&
    isLost(value, stepsOf(leaf), { whole, convert })
  ).map(({ path }) => path);
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

/**
 * A value is lost if nothing changes without it. Leaves out the value, then what holds it: true
 * until something shows the loss.
 */
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

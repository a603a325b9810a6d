import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  eventsOf,
  type FormatName,
  formatNames,
  GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import pins from "../../deno.json" with { type: "json" };
import { contextOf, encoded } from "../codec_suite.ts";
import { type Conversion, convertedAnswer, convertedRequest } from "./conversion.ts";
import { enumNumbers, enumOf, withoutNumbers } from "./enum_numbers.ts";
import {
  type Change,
  changed,
  emptySiblings,
  extraNull,
  extras,
  filledSiblings,
  nulls,
  numbers,
} from "./mutation.ts";
import { Dice, Sampler, shapes } from "./sampler.ts";
import type { Shape } from "./shape.ts";

/**
 * Requests, answers and streams of every type that the vendors' SDKs have, with absent members as
 * null, empty or filled members of other types beside their own, unknown members, and numbers for
 * enums: whatever a union's discriminator excludes changes nothing in any format.
 */

/** Cases of each law; the short run is always the same. */
const runs = Number(Deno.env.get("TESSERA_SHAPES") ?? 150);
const settings = { numRuns: runs, ...(runs <= 150 && { seed: 20_261_129 }) };

const kinds = ["request", "schema", "answer", "stream"] as const;
type Kind = typeof kinds[number];

const changes: Readonly<Record<string, Change>> = {
  "null for absent members": nulls,
  "empty members of other types": emptySiblings,
  "a filled member of another type": filledSiblings((shape, name) =>
    new Sampler(1, new Set()).value(shape, name, 8)
  ),
  "a member of tomorrow that is null": extraNull,
  "a member of tomorrow": extras,
  "numbers for enums": numbers,
};

const seen = new Set<string>();
let cases = 0;
let refusals = 0;

for (const from of formatNames) {
  for (const kind of kinds) {
    for (const [name, change] of Object.entries(changes)) {
      if (change === numbers && from !== "generate-content") continue;
      Deno.test(`unions: ${name} in ${from}, ${kind} (${runs})`, () => {
        fc.assert(
          fc.property(fc.nat(), fc.constantFrom(...othersOf(from)), (seed, to) => {
            assertSame({ from, kind, seed, to }, change);
          }),
          settings,
        );
      });
    }
  }
}

Deno.test("unions: the types that were generated", () => {
  console.log(`${cases} cases, ${refusals} of them refusals, of ${seen.size} types`);
  if (cases > 0) assert(seen.size > 550, `only ${seen.size} types`);
});

Deno.test("unions: the types are those of the pinned SDKs", () => {
  for (const [name, version] of Object.entries(shapes.versions)) {
    assertEquals(`npm:${name}@${version}`, (pins.imports as Record<string, string>)[name]);
  }
});

Deno.test("unions: the numbers of every enum of generate-content are known, or need none", () => {
  const names = new Set<string>();
  for (const root of ["request", "answer"]) {
    collectEnums(shapes.roots[`generate-content ${root}`], { holder: "", member: "" }, names);
  }
  assertEquals(
    [...names].filter((name) => !Object.hasOwn(enumNumbers, name) && !withoutNumbers.has(name)),
    [],
  );
});

interface Case {
  readonly from: FormatName;
  readonly kind: Kind;
  readonly seed: number;
  readonly to: FormatName;
}

function assertSame({ from, kind, seed, to }: Case, change: Change): void {
  const plain = sampled(from, kind, seed);
  if (plain === undefined) return;
  const shape = shapes.roots[`${from} ${kind === "stream" ? eventOf[from] : kind}`];
  const dice = new Dice(seed);
  const mutated = Array.isArray(plain)
    ? plain.map((event) => changed(event, { shape }, change, dice) as JsonObject) // sound: an object stays one
    : changed(plain, { shape }, change, dice) as JsonObject; // sound: as above
  const [expected, actual] = [plain, mutated].map((wire) => convertedTo(to, from, wire, kind));
  cases++;
  if (expected.code !== undefined) refusals++;
  const adds = change === extras || change === changes["a filled member of another type"];
  if (adds && isTold(actual, expected)) return;
  assertEquals(actual, adds ? { ...expected, notes: actual.notes } : expected);
}

/** In its own format everything passes through as it came. */
function othersOf(from: FormatName): FormatName[] {
  return formatNames.filter((format) => format !== from);
}

/** The type of a stream's events. */
const eventOf = {
  "chat-completions": "event",
  responses: "event",
  messages: "event",
  "generate-content": "answer",
} as const satisfies Record<FormatName, string>;

/** A value of the SDK's type; a stream is a whole answer in pieces. */
function sampled(
  from: FormatName,
  kind: Kind,
  seed: number,
): JsonObject | JsonObject[] | undefined {
  const root = shapes.roots[`${from} ${kind === "stream" ? "answer" : kind}`];
  const value = new Sampler(seed, seen).value(root);
  assert(isJsonObject(value));
  if (kind !== "stream") return value;
  try {
    const events = eventsOf(codecs[from].decodeResponse(value));
    return encoded(codecs[from], events, contextOf({})).filter(({ data }) => data !== "[DONE]")
      .map(({ data }) => JSON.parse(data));
  } catch (error) {
    if (error instanceof GatewayError) return undefined; // the answer is an error
    throw error;
  }
}

function convertedTo(
  to: FormatName,
  from: FormatName,
  wire: JsonObject | readonly JsonObject[],
  kind: Kind,
): Conversion {
  if (isRequest(kind)) return convertedRequest(wire as JsonObject, from, to); // sound: only streams are lists
  return convertedAnswer({ from, wire }, to);
}

/** A request as the SDK types it, or as the gateway's own schemas do. */
function isRequest(kind: Kind): boolean {
  return kind === "request" || kind === "schema";
}

/** True if a note or a refusal names what was added. */
function isTold(actual: Conversion, expected: Conversion): boolean {
  return actual.code !== undefined || actual.notes.some((note) => !expected.notes.includes(note));
}

function collectEnums(
  shape: Shape,
  place: { readonly holder: string; readonly member: string },
  names: Set<string>,
  visited = new Set<string>(),
): void {
  if (typeof shape === "string") return;
  if ("is" in shape) {
    const isEnum = shape.is.length > 1 && shape.is.every((name) => /^[A-Z_]+$/.test(String(name)));
    if (isEnum) names.add(enumOf(place.holder, place.member));
  } else if ("ref" in shape) {
    const at = `${shape.ref} ${place.member}`;
    if (visited.has(at)) return;
    visited.add(at);
    collectEnums(shapes.named[shape.ref], place, names, visited);
  } else if ("list" in shape) collectEnums(shape.list, place, names, visited);
  else if ("map" in shape) collectEnums(shape.map, place, names, visited);
  else if ("oneOf" in shape) {
    for (const one of shape.oneOf) collectEnums(one, place, names, visited);
  } else {
    for (const [member, { shape: inner }] of Object.entries(shape.members)) {
      collectEnums(inner, { holder: place.member, member }, names, visited);
    }
  }
}

import { assertEquals } from "@std/assert";
import { errorCatalog } from "../../../lib/canonical/error.ts";
import { formatNames, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { bodyKinds, convertedBody, lostIn, type Way } from "./lost.ts";
import { alternatives } from "./mutation.ts";
import { type ObjectPlace, objectPlaces, smallest, type Target } from "./places.ts";
import { Sampler, shapes } from "./sampler.ts";
import { placedSchemas, schemaModules } from "./zod_shapes.ts";

/**
 * Every member that a type of objects can do without: absent, null, empty, with a value of each of
 * its types, with a number for a name, and beside a member that no type has.
 */

const counts = { types: 0, members: 0, cases: 0, refusals: 0 };

for (const from of formatNames) {
  for (const kind of bodyKinds) {
    Deno.test(`members: every optional one in ${from}, ${kind}`, () => {
      const others = formatNames.filter((format) => format !== from);
      const faults = objectPlaces(shapes.roots[`${from} ${kind}`]).flatMap((place) => {
        counts.types++;
        const extra = others.flatMap((to) => faultsOf(place, [unknownMember], { from, kind, to }));
        return [
          ...extra,
          ...optional(place).flatMap((name) => {
            const one = others[counts.members++ % others.length];
            return (kind === "schema" ? others : [one]).flatMap((to) =>
              faultsOf(place, casesOf(place, name), { from, kind, to })
            );
          }),
        ];
      });
      assertEquals(faults, []);
    });
  }
}

Deno.test("members: the types that were tried", () => {
  console.log(counts);
});

Deno.test("members: every schema of a request has its place", () => {
  for (const [format, schemas] of Object.entries(schemaModules)) {
    const unplaced = Object.entries(schemas).filter(([, schema]) =>
      typeof schema === "object" && !placedSchemas.has(schema)
    );
    assertEquals(unplaced.map(([name]) => `${format} ${name}`), []);
  }
});

function optional({ members }: ObjectPlace): string[] {
  return Object.keys(members).filter((name) => members[name].optional);
}

interface Case {
  readonly says: string;
  readonly change: (object: Target, sampler: Sampler) => void;
  /** True if it must come out as the first one does. */
  readonly isAbsent?: true;
}

const unknownMember: Case = {
  says: "a member of tomorrow",
  change: (object) => object.of_tomorrow = { says: "w0tomorrow" },
};

function casesOf({ members }: ObjectPlace, name: string): Case[] {
  const all = alternatives(members[name].shape);
  const names = all.flatMap((shape) => typeof shape === "object" && "is" in shape ? shape.is : []);
  const others = all.filter((shape) => typeof shape === "string" || !("is" in shape));
  const given = (value: JsonValue): Case => ({
    says: `${name} is ${JSON.stringify(value)}`,
    change: (object) => object[name] = value,
    ...(value === null && { isAbsent: true }),
  });
  return [
    { says: `${name} is absent`, change: (object) => delete object[name], isAbsent: true },
    ...[null, {}, [], "", ...names].map(given),
    ...(names.some((one) => typeof one === "string") ? [given(1)] : []),
    ...others.map((shape, at) => ({
      says: `${name} is filled, ${at}`,
      change: (object: Target, sampler: Sampler) => {
        object[name] = sampler.value(shape, name, filledDepth);
      },
    })),
  ];
}

/** Deep enough that a value is small. */
const filledDepth = 8;

/** Each exception, wrong status, silent loss, and difference to the case without the member. */
function faultsOf(place: ObjectPlace, cases: readonly Case[], way: Way): string[] {
  let absent: string | undefined;
  return cases.flatMap(({ says, change, isAbsent }) => {
    const body = bodyOf(place, change);
    const faults: string[] = [];
    try {
      const whole = convertedBody(body, way);
      counts.cases++;
      if (whole.code !== undefined) counts.refusals++;
      const text = JSON.stringify(whole);
      absent ??= text;
      if (isAbsent && text !== absent) faults.push(`${text} is not ${absent}`);
      if (way.kind !== "answer" && whole.code && errorCatalog[whole.code].status >= 500) {
        faults.push(`the caller is told ${whole.code}`);
      }
      faults.push(...lostIn(body, way, whole).map((path) => `${path} is lost`));
    } catch (error) {
      faults.push(String(error));
    }
    return faults.map((fault) => `${way.to}: ${place.path}: ${says}: ${fault}`);
  });
}

function bodyOf({ members, within }: ObjectPlace, change: Case["change"]): JsonObject {
  const sampler = new Sampler(1, new Set());
  const object = smallest(members, sampler);
  const body = within(object, sampler);
  change(object, sampler);
  return body as JsonObject; // sound: the roots are objects
}

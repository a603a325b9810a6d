import type { JsonValue } from "../../../lib/canonical/mod.ts";
import { alternatives, isVerbatim } from "./mutation.ts";
import { Sampler } from "./sampler.ts";
import type { Member, Shape } from "./shape.ts";

/** An object that can be changed after it was put into a body. */
export type Target = Record<string, JsonValue>;

/** A type of objects, with the shortest way to one of them in a body. */
export interface ObjectPlace {
  readonly members: Readonly<Record<string, Member>>;
  /** The names of the members that lead to it. */
  readonly path: string;
  /** The body around a value, with no more members than it needs. */
  readonly within: (value: JsonValue, sampler: Sampler) => JsonValue;
}

/** The types of objects in a shape, each once. */
export function objectPlaces(root: Shape): ObjectPlace[] {
  const found: ObjectPlace[] = [];
  const known = new Set<ObjectPlace["members"]>();
  const queue: Queued[] = [{ shape: root, path: "", within: (value) => value }];
  for (const place of queue) {
    for (const shape of alternatives(place.shape)) {
      if (typeof shape === "string" || "is" in shape) continue;
      if ("members" in shape) {
        if (known.has(shape.members)) continue;
        known.add(shape.members);
        found.push({ ...place, members: shape.members });
      }
      queue.push(...inside(shape, place));
    }
  }
  return found;
}

type Queued = Omit<ObjectPlace, "members"> & { readonly shape: Shape };

function inside(shape: Exclude<Shape, string>, { path, within }: Queued): Queued[] {
  if ("list" in shape) {
    return [{ shape: shape.list, path, within: (value, words) => within([value], words) }];
  }
  if ("map" in shape) {
    return [{ shape: shape.map, path, within: (value, words) => within({ key: value }, words) }];
  }
  if (!("members" in shape)) return [];
  const named = Object.entries(shape.members).filter(([name]) =>
    !isVerbatim(name, { type: typeIn(shape.members) })
  );
  return named.map(([name, member]) => ({
    shape: member.shape,
    path: path === "" ? name : `${path}.${name}`,
    within: (value, words) => within({ ...smallest(shape.members, words), [name]: value }, words),
  }));
}

function typeIn({ type }: ObjectPlace["members"]): unknown {
  const shape = type?.shape;
  return typeof shape === "object" && "is" in shape ? shape.is[0] : undefined;
}

/** Deeper than any depth at which a value has members that it can do without. */
const smallestDepth = 10;

/** An object with the members that it needs. */
export function smallest(members: ObjectPlace["members"], sampler: Sampler): Target {
  return sampler.value({ members }, "", smallestDepth) as Target; // sound: the value of an object's shape
}

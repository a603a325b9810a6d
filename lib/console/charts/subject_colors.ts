import { BoundedMap } from "../../bounded_map.ts";
import { type SubjectScope, usageTable } from "../../ledger/mod.ts";
import { stepMs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { tagText } from "../../store/projects/mod.ts";
import type { RollupSubject } from "../../store/usage/mod.ts";
import type { ChartColor } from "./chart.ts";

/** The colors of subjects; all others together are grey. */
export const subjectColors = [1, 2, 3, 4, 5, 6, 7] as const satisfies readonly ChartColor[];

/** The colors of some subjects, by `subjectText`. */
export type SubjectColors = ReadonlyMap<string, ChartColor>;

/** The place of each subject among those of its dimension, by `subjectText`. */
type ColorPlaces = ReadonlyMap<string, number>;

/** The name of a subject that is unique within its dimension. */
export function subjectText({ dimension, scope, value }: RollupSubject): string {
  return dimension === "tag" ? tagText({ key: scope, value }) : value;
}

/**
 * Gives each subject a color of its own. A subject has the color of its place, whatever the period,
 * the measure or the page; where two have the same one, the later of them has the next that is free.
 */
export function colorsFor(
  shown: readonly RollupSubject[],
  places: ColorPlaces,
): SubjectColors {
  const found = new Map<string, ChartColor>();
  const free = new Set<ChartColor>(subjectColors);
  const placeOf = (text: string) => places.get(text) ?? Infinity;
  const texts = shown.map(subjectText).sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  for (const text of texts) {
    const [own = subjectColors[0]] = subjectColors.slice(placeOf(text) % subjectColors.length);
    const color = free.has(own) ? own : [...free][0];
    if (color === undefined) break;
    free.delete(color);
    found.set(text, color);
  }
  return found;
}

const daysRanked = 30;
const placesKept = 50;
const kept = new WeakMap<Store, BoundedMap<string, Promise<ColorPlaces>>>();

/**
 * The places of subjects by their cost in the 30 UTC days before today: they change once a day, so
 * that a color stays with its subject in every period. An account's places depend on its own calls
 * alone.
 */
export async function colorPlaces(
  store: Store,
  subjects: SubjectScope,
  nowMs: number,
): Promise<ColorPlaces> {
  const toMs = Math.floor(nowMs / stepMs.day) * stepMs.day;
  const name = JSON.stringify([subjects.dimension, subjects.scope, toMs]);
  const places = kept.getOrInsertComputed(store, () => new BoundedMap(placesKept));
  const reading = places.getOrInsert(name, () => readPlaces(store, subjects, toMs));
  try {
    return await reading;
  } catch (error) {
    places.delete(name);
    throw error;
  }
}

async function readPlaces(
  store: Store,
  subjects: SubjectScope,
  toMs: number,
): Promise<ColorPlaces> {
  const parts = { startsMs: [toMs - daysRanked * stepMs.day], toMs } as const;
  const table = await usageTable(store, subjects, parts);
  const ranked = table.toSorted((a, b) => a.parts[0].costNanoUsd < b.parts[0].costNanoUsd ? 1 : -1);
  return new Map(ranked.map(({ subject }, at) => [subjectText(subject), at]));
}

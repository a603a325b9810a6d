import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { stepMs, stepOf, stepStartMs } from "../log/log_time.ts";
import type { RollupDimension } from "./rollup_subject.ts";
import { firstKeys, subjectKeyOf } from "./rollup_scan.ts";

/** Sorts after every hour. */
const never = "~";

/**
 * The first hour, such as `2026-11-21T08`, whose sums of keys' models are complete: earlier
 * releases did not add them up, and several isolates may change over to this release within a day.
 * Empty if this release added up everything.
 */
export async function keyModelsSince(store: Store): Promise<string> {
  const [models, keyModels] = await Promise.all([
    firstHour(store, "model"),
    firstHour(store, "keyModel"),
  ]);
  if (keyModels === models) return "";
  return keyModels === never ? never : stepOf(stepStartMs(keyModels, "hour") + stepMs.day, "hour");
}

async function firstHour(store: Store, dimension: RollupDimension): Promise<string> {
  let first = never;
  for await (const key of firstKeys(store, keys.rollup("hour", dimension))) {
    const hour = String(key[subjectKeyOf(key).length]);
    if (hour < first) first = hour;
  }
  return first;
}

import type { JsonObject } from "../../canonical/mod.ts";
import { restOf, saysNothing } from "../wire_value.ts";

/** Members of hosted tools that are no settings, in any format: type, name, allowed callers and loading. */
const structure = ["type", "name", "cache_control", "allowed_callers", "defer_loading"];

/** The names of a hosted tool's settings without a canonical field; absent if there are none. */
export function ownSettings(
  tool: JsonObject,
  canonical: readonly string[],
): { ownSettings?: readonly string[] } {
  const stated = restOf(tool, [...structure, ...canonical]);
  const names = Object.keys(stated).filter((name) => !saysNothing(stated[name]));
  return names.length > 0 ? { ownSettings: names } : {};
}

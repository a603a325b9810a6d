import type { JsonObject } from "../../canonical/mod.ts";
import { restOf } from "../wire_value.ts";

/** Members of hosted tools that set nothing, in any format: what the tool is, who may call it and when it is loaded. */
const structure = ["type", "name", "cache_control", "allowed_callers", "defer_loading"];

/** The settings of a hosted tool beside those that have a canonical field, by their names; absent where there are none. */
export function ownSettings(
  tool: JsonObject,
  canonical: readonly string[],
): { ownSettings?: readonly string[] } {
  const names = Object.keys(restOf(tool, [...structure, ...canonical]));
  return names.length > 0 ? { ownSettings: names } : {};
}

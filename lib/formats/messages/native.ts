import { type FormatName, isJsonObject } from "../../canonical/mod.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { objectsOf, statesOnly, textOf } from "../wire_value.ts";

export const format = "messages" satisfies FormatName;

export const { ownFields, keep, mark } = nativeKeeper(format);

/** Deferred tools are sent at once, and thinking to be cleared is never sent to other vendors. */
export const harmlessFields: HarmlessFields = {
  ...harmless("caller", "spelling", "defer_loading", "eager_input_streaming", "service_tier"),
  ...harmless("clear_at", "inline", "mcp_servers"),
  context_management: (value) =>
    isJsonObject(value) && statesOnly(value, ["edits"]) &&
    objectsOf(value.edits).every(({ type }) => textOf(type).startsWith("clear_thinking_")),
};

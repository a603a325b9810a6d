import type { FormatName, JsonObject, NativeFields } from "../../canonical/mod.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { comparesNothing } from "../request/cache_options.ts";
import { isUnnamedTier } from "../request/service_tier.ts";
import { restOf } from "../wire_value.ts";

export const format = "responses" satisfies FormatName;

export const { ownFields, keep, mark } = nativeKeeper(format);

/** `include` repeats canonical fields, and so does `user`. Deferred tools are sent at once. */
export const harmlessFields: HarmlessFields = {
  ...harmless("include", "client_metadata", "user", "stream_options"),
  ...harmless("prompt_cache_retention"),
  prompt_cache_options: comparesNothing,
  ...harmless("phase", "caller", "name", "namespace", "defer_loading"),
  service_tier: isUnnamedTier,
  async: (value) => value === false,
  background: (value) => value === false,
  truncation: (value) => value === "disabled",
};

/** Members of a message item that its parts keep in `native`, beside their own. */
const itemKeys = ["id", "status", "phase", "item", "role", "continues"];

/** The fields of a message's part itself, without the item's. */
export function ownInput(part: { readonly native?: NativeFields }): JsonObject {
  return restOf(ownFields(part) ?? {}, itemKeys);
}

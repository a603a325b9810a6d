import type { FormatName, JsonObject, NativeFields } from "../../canonical/mod.ts";
import { comparesNothing } from "../request/cache_options.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { isUnnamedTier } from "../request/service_tier.ts";
import { restOf } from "../wire_value.ts";

export const format = "responses" satisfies FormatName;

export const { ownFields, keep, mark } = nativeKeeper(format);

/**
 * `include` asks for what canonical fields ask for too, and `user` names whom they name. Tools that
 * were to be loaded later are there at once.
 */
export const harmlessFields: HarmlessFields = {
  ...harmless("include", "client_metadata", "user", "stream_options"),
  ...harmless("prompt_cache_retention"),
  prompt_cache_options: comparesNothing,
  ...harmless("phase", "logprobs", "caller", "name", "namespace", "defer_loading"),
  service_tier: isUnnamedTier,
  async: (value) => value === false,
  background: (value) => value === false,
  truncation: (value) => value === "disabled",
};

/** Members of a message item that its parts bear in `native`, beside their own. */
const itemKeys = ["id", "status", "phase", "item", "role", "continues"];

/** What a part of a message kept for itself, the item's own fields left out. */
export function ownInput(part: { readonly native?: NativeFields }): JsonObject {
  return restOf(ownFields(part) ?? {}, itemKeys);
}

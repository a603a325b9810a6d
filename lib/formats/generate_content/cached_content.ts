import type { Compaction, JsonObject } from "../../canonical/mod.ts";
import { textOf } from "../wire_value.ts";
import { format } from "./native.ts";

/** The name of a part of the prompt that the vendor keeps, in either spelling of proto3 JSON; to be spread. */
export function cachedContentIn(body: JsonObject): { compaction?: Compaction } {
  const name = textOf(body.cachedContent ?? body.cached_content);
  return name === "" ? {} : { compaction: { kind: "kept", format, param: "cachedContent" } };
}

import type { JsonObject, VendorState } from "../../canonical/mod.ts";
import { textOf } from "../wire_value.ts";
import { format } from "./native.ts";

/** The cached content that a request names, in either spelling of proto3 JSON. */
export function vendorStateIn(body: JsonObject): VendorState | undefined {
  const name = textOf(body.cachedContent ?? body.cached_content);
  return name === "" ? undefined : { kind: "stored-prompt", format, param: "cachedContent" };
}

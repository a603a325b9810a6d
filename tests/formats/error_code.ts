import { assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../lib/canonical/mod.ts";

/**
 * The gateway's own code in an error body. Of generate-content `code` is the status, and `reason` the
 * code; a wrong key alone has the name that it has in all formats.
 */
export function codeIn(format: FormatName, error: JsonObject, status: number): unknown {
  if (format !== "generate-content") return error.code;
  assertEquals(error.code, error.reason === "invalid_api_key" ? error.reason : status);
  return error.reason;
}

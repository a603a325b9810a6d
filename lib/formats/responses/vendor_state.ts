import { isJsonObject, type JsonObject, type VendorState } from "../../canonical/mod.ts";
import { listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { format } from "./native.ts";

/** The second is an older name (2026-11-22). */
const compactedHistories: readonly string[] = ["compaction", "compaction_summary"];

/** The vendor state that a request needs; to be spread. A compacted history takes precedence. */
export function vendorStateIn(
  { input, context_management: management, prompt }: JsonObject,
): { vendorState?: VendorState } {
  const types = listOf(input).map((item) => textOf(objectOf(item).type));
  const compacted = types.findLastIndex((type) => compactedHistories.includes(type));
  if (compacted >= 0) return said("compacted-history", `input[${compacted}]`);
  const trigger = types.lastIndexOf("compaction_trigger");
  if (trigger >= 0) return said("compaction", `input[${trigger}]`);
  const isAutomatic = objectsOf(management).some(({ type }) => type === "compaction");
  if (isAutomatic) return said("compaction", "context_management");
  return isJsonObject(prompt) ? said("stored-prompt", "prompt") : {};
}

function said(kind: VendorState["kind"], param: string): { vendorState: VendorState } {
  return { vendorState: { kind, format, param } };
}

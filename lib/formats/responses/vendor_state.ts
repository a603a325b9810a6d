import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type VendorState,
} from "../../canonical/mod.ts";
import { surelyLacks } from "../../json/mod.ts";
import { listOf, objectsOf, textOf } from "../wire_value.ts";
import { format } from "./native.ts";

/** The second is an older name (2026-11-22). */
const compactedHistories: readonly string[] = ["compaction", "compaction_summary"];

/** The beginning of each such type, or an escape that may spell it. */
const compactionOrEscape = /compaction|\\u00/;

/** The vendor state that a request needs. A compacted history takes precedence. */
export function vendorStateIn(body: JsonObject): VendorState | undefined {
  const { context_management: management, prompt } = body;
  const items = surelyLacks(body, "input", compactionOrEscape) ? [] : listOf(body.input);
  const compacted = items.findLastIndex((item) => compactedHistories.includes(typeOf(item)));
  if (compacted >= 0) return said("compacted-history", `input[${compacted}]`);
  const trigger = items.findLastIndex((item) => typeOf(item) === "compaction_trigger");
  if (trigger >= 0) return said("compaction", `input[${trigger}]`);
  const isAutomatic = objectsOf(management).some(({ type }) => type === "compaction");
  if (isAutomatic) return said("compaction", "context_management");
  return isJsonObject(prompt) ? said("stored-prompt", "prompt") : undefined;
}

function typeOf(item: JsonValue): string {
  return isJsonObject(item) ? textOf(item.type) : "";
}

function said(kind: VendorState["kind"], param: string): VendorState {
  return { kind, format, param };
}

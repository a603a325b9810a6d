import { type Compaction, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { format } from "./native.ts";

/** The second is an older name (2026-11-22). */
const capsules: readonly string[] = ["compaction", "compaction_summary"];

/** The compaction that a request asks for or holds, or the prompt that its vendor keeps; to be spread. A compacted history counts before all else. */
export function compactionIn(
  { input, context_management: management, prompt }: JsonObject,
): { compaction?: Compaction } {
  const types = listOf(input).map((item) => textOf(objectOf(item).type));
  const capsule = types.findLastIndex((type) => capsules.includes(type));
  if (capsule >= 0) return said("capsule", `input[${capsule}]`);
  const trigger = types.lastIndexOf("compaction_trigger");
  if (trigger >= 0) return said("trigger", `input[${trigger}]`);
  const isAutomatic = objectsOf(management).some(({ type }) => type === "compaction");
  if (isAutomatic) return said("trigger", "context_management");
  return isJsonObject(prompt) ? said("kept", "prompt") : {};
}

function said(kind: Compaction["kind"], param: string): { compaction: Compaction } {
  return { compaction: { kind, format, param } };
}

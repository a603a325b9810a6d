import { type Compaction, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { format, mark } from "./native.ts";

/** Clients that know this code send the whole conversation instead (beta of 2026-08). */
const refusal = mark({ details: { error_code: "thread_unsupported_request" } }).native;
const thread = { kind: "thread", format, param: "thread" } as const;

/** The compaction that a request asks for or holds; to be spread. A compacted history counts before all else. */
export function compactionIn(body: JsonObject): { compaction?: Compaction } {
  const capsule = capsuleIn(body);
  if (capsule !== undefined) return said("capsule", capsule);
  if (isJsonObject(body.compaction)) return said("trigger", "compaction");
  if (isJsonObject(body.thread)) return { compaction: { ...thread, refusal } };
  return compactsByThreshold(body) ? said("trigger", "context_management.edits") : {};
}

/** Whether the vendor compacts the history once it passes a threshold. */
export function compactsByThreshold({ context_management: management }: JsonObject): boolean {
  return objectsOf(objectOf(management).edits).some(({ type }) =>
    textOf(type).startsWith("compact_")
  );
}

function capsuleIn({ messages }: JsonObject): string | undefined {
  for (const [at, message] of listOf(messages).entries()) {
    const block = listOf(objectOf(message).content).findIndex(isCapsule);
    if (block >= 0) return `messages[${at}].content[${block}]`;
  }
  return undefined;
}

/** A compaction that failed is a block without content, and no history. */
function isCapsule(value: unknown): boolean {
  const { type, content, encrypted_content: sealed } = objectOf(value);
  return type === "compaction" && (textOf(content) !== "" || textOf(sealed) !== "");
}

function said(kind: Compaction["kind"], param: string): { compaction: Compaction } {
  return { compaction: { kind, format, param } };
}

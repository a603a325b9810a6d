import {
  GatewayError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../canonical/mod.ts";
import {
  type CompactionCodec,
  type CompactionWanted,
  type FoundCapsule,
  summaryText,
  summaryTokens,
} from "../compaction_codec.ts";
import { refused } from "../schema.ts";
import type { MemberChanges } from "../state_codec.ts";
import type { WireRequest } from "../wire.ts";
import { defined, listOf, numberOrNothing, objectsOf, textOf } from "../wire_value.ts";
import { mark } from "./native.ts";

/**
 * A trigger at the end of the input, a threshold, or the endpoint that only compacts. The capsule
 * is the last item of what clients keep: they send their own messages before it, so those stay, and
 * everything else before it is replaced (Codex 0.171.0).
 */
export const compaction: CompactionCodec = {
  wanted,
  withoutWish: (wire) => ({
    path,
    members: { ...plainMembers(wire.body), ...(isCompact(wire) && { stream: undefined }) },
  }),
  summaryRequest: ({ body }, prompt) => ({
    path,
    members: {
      ...plainMembers(body),
      input: [...history(body), message(prompt)],
      stream: true,
      text: undefined,
      max_output_tokens: body.max_output_tokens ?? summaryTokens,
      ...(listOf(body.tools).length > 0 && { tool_choice: "none" }),
    },
  }),
  continued: ({ body }, summary) => ({ path, members: continuedMembers(body, summary) }),
  isReadable: false,
  capsule: ({ id, sealed }) => ({ type: capsuleType, id: `cmp_${id}`, encrypted_content: sealed }),
  capsuleIn,
  opened: (body, summary) => ({ input: openedInput(listOf(body.input), summary) }),
  refusal: (_fault, param) =>
    new GatewayError(
      "invalid_request",
      `Cannot open ${param}: this gateway did not seal it for this account, it was changed, or the ` +
        "gateway's secret is lost. Send the conversation as it was before its compaction",
      { param, ...mark({ code: "invalid_encrypted_content" }) },
    ),
  answerChanges: (wire, answer) => isCompact(wire) ? compactAnswer(wire.body, answer) : {},
};

const path = "/responses";
const thresholdUsual = 150_000;
const capsuleType = "compaction";
const triggerType = "compaction_trigger";
/** The second is an older name (2026-11-22). */
const capsuleTypes: readonly string[] = [capsuleType, "compaction_summary"];

/** Returns true for a request to the endpoint that only compacts. */
export function isCompact({ path }: Pick<WireRequest, "path">): boolean {
  return path.endsWith("/responses/compact");
}

/** The place of the newest capsule; -1 without one. */
export function capsulePlace(items: readonly JsonValue[]): number {
  return items.findLastIndex((item) => capsuleTypes.includes(typeOf(item)));
}

/** The place of the last trigger; -1 without one. */
export function triggerPlace(items: readonly JsonValue[]): number {
  return items.findLastIndex((item) => typeOf(item) === triggerType);
}

function wanted(wire: WireRequest): CompactionWanted | undefined {
  const items = history(wire.body);
  const trigger = triggerPlace(listOf(wire.body.input));
  if (trigger < 0 && !isCompact(wire)) return automatic(wire.body, items);
  if (trigger >= 0 && trigger !== listOf(wire.body.input).length - 1) {
    throw refused("input", "must have its compaction_trigger as the last item");
  }
  if (items.length === 0) throw refused("input", "must have items to compact");
  return { answers: false };
}

function automatic(
  { context_management: management }: JsonObject,
  items: readonly JsonValue[],
): CompactionWanted | undefined {
  const asked = objectsOf(management).find(({ type }) => type === capsuleType);
  if (!asked || items.length < 2) return undefined;
  const threshold = numberOrNothing(asked.compact_threshold) ?? thresholdUsual;
  if (threshold <= 0) {
    throw refused("context_management[0].compact_threshold", "must be a positive number of tokens");
  }
  return { threshold, answers: true };
}

/** The input as items, without triggers, which mean nothing in the midst of a history. */
function history({ input }: JsonObject): readonly JsonValue[] {
  return typeof input === "string"
    ? [message(input)]
    : listOf(input).filter((item) => typeOf(item) !== triggerType);
}

function plainMembers(body: JsonObject): MemberChanges {
  const others = objectsOf(body.context_management).filter(({ type }) => type !== capsuleType);
  return {
    ...(triggerPlace(listOf(body.input)) >= 0 && { input: history(body) }),
    ...(body.context_management !== undefined && {
      context_management: others.length > 0 ? others : undefined,
    }),
  };
}

function capsuleIn({ input }: JsonObject): FoundCapsule | undefined {
  const items = listOf(input);
  const place = capsulePlace(items);
  const item = items[place];
  if (!isJsonObject(item)) return undefined;
  return { param: `input[${place}]`, sealed: textOf(item.encrypted_content) };
}

function openedInput(items: readonly JsonValue[], summary: string): readonly JsonValue[] {
  const place = capsulePlace(items);
  const kept = items.slice(0, place).filter((item) => keptRoles.has(roleOf(item)));
  return [...kept, message(summaryText(summary)), ...items.slice(place + 1)];
}

const keptRoles: ReadonlySet<string> = new Set(["user", "developer", "system"]);

/** The rules, the summary, and the last turn if it is the user's. */
function continuedMembers(body: JsonObject, summary: string): MemberChanges {
  const items = history(body);
  const last = items.at(-1);
  const rules = items.filter((item) => ["developer", "system"].includes(roleOf(item)));
  const turn = last !== undefined && roleOf(last) === "user" ? [last] : [];
  return { ...plainMembers(body), input: [...rules, message(summaryText(summary)), ...turn] };
}

/** The whole object is the client's next input: its messages, then the capsule. */
function compactAnswer(body: JsonObject, answer: JsonObject): MemberChanges {
  const said = history(body).filter((item) => roleOf(item) === "user").map(listedMessage(answer));
  const others = Object.keys(answer).map((name) => [name, undefined] as const);
  return {
    ...Object.fromEntries(others),
    id: answer.id,
    object: "response.compaction",
    created_at: answer.created_at,
    output: [...said, ...listOf(answer.output)],
    usage: answer.usage,
  };
}

function listedMessage({ id }: JsonObject) {
  return (item: JsonValue, place: number): JsonObject => {
    const said = isJsonObject(item) ? item : {};
    const { content } = said;
    return defined({
      ...said,
      type: "message",
      id: said.id ?? `msg_${textOf(id).replace(/^resp_/, "")}_${place}`,
      status: said.status ?? "completed",
      content: typeof content === "string" ? [{ type: "input_text", text: content }] : content,
    }) as JsonObject; // sound: members of JSON
  };
}

function message(text: string): JsonObject {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

function roleOf(item: JsonValue): string {
  return isJsonObject(item) && ["", "message"].includes(typeOf(item)) ? textOf(item.role) : "";
}

function typeOf(item: JsonValue): string {
  return isJsonObject(item) ? textOf(item.type) : "";
}

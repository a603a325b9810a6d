import {
  capsuleBeginning,
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
import { filledText, listOf, numberOrNothing, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { mark } from "./native.ts";

/**
 * A compaction on demand (beta of 2026-09), whose block is signed and comes first in the next
 * request, and one by threshold (beta of 2026-01), which replaces everything before it. The text of
 * both is readable.
 */
export const compaction: CompactionCodec = {
  wanted: ({ body }) => isJsonObject(body.compaction) ? onDemand(body) : automatic(body),
  withoutWish: (wire) => ({ ...plainHeaders(wire), members: plainMembers(wire.body) }),
  summaryRequest: (wire, prompt) => ({
    ...plainHeaders(wire),
    members: {
      ...plainMembers(wire.body),
      messages: withUserText(listOf(wire.body.messages), prompt),
      stream: true,
      stop_sequences: undefined,
      max_tokens: wire.body.max_tokens ?? summaryTokens,
      ...(wire.body.output_config !== undefined && {
        output_config: { ...objectOf(wire.body.output_config), format: undefined },
      }),
      ...(listOf(wire.body.tools).length > 0 && { tool_choice: { type: "none" } }),
    },
  }),
  continued: (wire, summary) => ({
    ...plainHeaders(wire),
    members: {
      ...plainMembers(wire.body),
      messages: continuedMessages(listOf(wire.body.messages), summary),
    },
  }),
  isReadable: true,
  capsule: ({ sealed, summary, isAutomatic }) => ({
    type: blockType,
    content: summary,
    ...(isAutomatic
      ? { encrypted_content: sealed }
      : { encrypted_content: null, signature: sealed, tool_changes: [] }),
  }),
  capsuleIn,
  opened: (body, summary) => ({ messages: openedMessages(listOf(body.messages), summary) }),
  refusal: (fault, param) =>
    fault === "seal"
      ? failure(
        "compaction_signature_invalid",
        `Cannot open ${param}: this gateway did not sign it for this account, its signature was ` +
          "changed, or the gateway's secret is lost. Send the conversation as it was before its compaction",
        param,
      )
      : failure(
        "compaction_content_mismatch",
        `Cannot read ${param}: its content was changed. Send the block as it was received`,
        param,
      ),
};

const blockType = "compaction";
const instructionsCharsMax = 16_384;
const [thresholdMin, thresholdUsual] = [50_000, 150_000];

function failure(code: string, message: string, param: string): GatewayError {
  return new GatewayError("invalid_request", message, {
    param,
    ...mark({ details: { error_code: code } }),
  });
}

function onDemand(body: JsonObject): CompactionWanted {
  const messages = objectsOf(body.messages);
  const other = exclusive.find((name) => body[name] !== undefined && body[name] !== null);
  if (other !== undefined) throw refused(other, "cannot be combined with compaction");
  if (objectOf(body.output_config).format !== undefined) {
    throw refused("output_config.format", "cannot be combined with compaction");
  }
  if (["any", "tool"].includes(textOf(objectOf(body.tool_choice).type))) {
    throw refused("tool_choice", "must leave the choice to the model beside compaction");
  }
  if (hasOpenCall(messages.at(-1))) {
    throw failure(
      "compaction_incomplete_turn",
      "Cannot compact the conversation: its last tool call has no result. Send the result first",
      `messages[${messages.length - 1}]`,
    );
  }
  if (messages.length === 0 || messages.every(isOnlyBlock)) {
    throw failure(
      "compaction_nothing_to_summarize",
      "Cannot compact the conversation: it has no messages except for a compaction",
      "messages",
    );
  }
  return { answers: false, ...instructionsIn(objectOf(body.compaction), "compaction") };
}

const exclusive = ["context_management", "stop_sequences"];

function automatic(body: JsonObject): CompactionWanted | undefined {
  const edits = objectsOf(objectOf(body.context_management).edits);
  const place = edits.findIndex(isCompactionEdit);
  if (place < 0 || listOf(body.messages).length < 2) return undefined;
  const edit = edits[place];
  const param = `context_management.edits[${place}]`;
  const threshold = numberOrNothing(objectOf(edit.trigger).value) ?? thresholdUsual;
  if (threshold < thresholdMin) {
    throw refused(`${param}.trigger.value`, `must be at least ${thresholdMin}`);
  }
  const answers = edit.pause_after_compaction !== true;
  return { threshold, answers, ...instructionsIn(edit, param) };
}

function instructionsIn({ instructions }: JsonObject, param: string) {
  const text = filledText(textOf(instructions).trim());
  if (text === undefined) return {};
  if (text.length <= instructionsCharsMax) return { instructions: text };
  throw refused(`${param}.instructions`, `must have at most ${instructionsCharsMax} characters`);
}

/** Returns true for an edit by which the vendor compacts the history beyond a threshold. */
export function isCompactionEdit({ type }: JsonObject): boolean {
  return textOf(type).startsWith("compact_");
}

/** A block that replaces the history before it. A failed compaction has no text. */
function isCapsule(value: JsonValue): boolean {
  const { type, content, encrypted_content: sealed } = objectOf(value);
  return type === blockType && (textOf(content) !== "" || textOf(sealed) !== "");
}

function isOnlyBlock({ content }: JsonObject): boolean {
  return Array.isArray(content) && content.length > 0 && content.every(isCapsule);
}

function hasOpenCall(last: JsonObject | undefined): boolean {
  return last?.role === "assistant" &&
    objectsOf(last.content).some(({ type }) => type === "tool_use");
}

function plainMembers(body: JsonObject): MemberChanges {
  const management = objectOf(body.context_management);
  const edits = objectsOf(management.edits).filter((edit) => !isCompactionEdit(edit));
  return {
    ...(body.compaction !== undefined && { compaction: undefined }),
    ...(body.context_management !== undefined && {
      context_management: edits.length > 0 ? { ...management, edits } : undefined,
    }),
  };
}

const betaHeader = "anthropic-beta";

/** Other servers may refuse the vendor's betas of compaction. */
function plainHeaders({ headers }: WireRequest): Pick<WireRequest, "headers"> {
  const { [betaHeader]: betas, ...others } = headers;
  const kept = betas?.split(",").map((beta) => beta.trim())
    .filter((beta) => beta !== "" && !beta.startsWith("compact-"));
  return { headers: kept?.length ? { ...others, [betaHeader]: kept.join(",") } : others };
}

interface Place {
  readonly message: number;
  readonly block: number;
}

/** The newest capsule's place. */
export function capsulePlace(messages: readonly JsonValue[]): Place | undefined {
  const all = messages.flatMap((message, at) =>
    listOf(objectOf(message).content).flatMap((block, index): Place[] =>
      isCapsule(block) ? [{ message: at, block: index }] : []
    )
  );
  return all.at(-1);
}

function capsuleIn({ messages }: JsonObject): FoundCapsule | undefined {
  const list = listOf(messages);
  const place = capsulePlace(list);
  if (!place) return undefined;
  const { content, encrypted_content: encrypted, signature } = blockAt(list, place);
  const param = `messages[${place.message}].content[${place.block}]`;
  if (isOurs(signature)) assertAlone(list, place, param);
  const sealed = filledText(signature) ?? filledText(encrypted);
  const summary = filledText(content);
  return {
    param,
    ...(sealed !== undefined && { sealed }),
    ...(summary !== undefined && { summary }),
  };
}

function isOurs(signature: unknown): boolean {
  return textOf(signature).startsWith(capsuleBeginning);
}

/** A signed block must be the first one, and the only one of its kind. */
function assertAlone(messages: readonly JsonValue[], place: Place, param: string): void {
  const signed = messages.flatMap((message) => objectsOf(objectOf(message).content))
    .filter(({ signature }, at, all) => isOurs(signature) && all[at].type === blockType);
  if (signed.length > 1) {
    throw failure(
      "compaction_block_ambiguous",
      "Cannot read the conversation: it has more than one signed compaction. Send the newest one only",
      param,
    );
  }
  if (place.message === 0 && place.block === 0) return;
  throw failure(
    "compaction_block_misplaced",
    `Cannot read ${param}: a signed compaction must be the first block of the first message`,
    param,
  );
}

function blockAt(messages: readonly JsonValue[], { message, block }: Place): JsonObject {
  return objectOf(listOf(objectOf(messages[message]).content)[block]);
}

/** The summary becomes the user's; the rest of the block's message and all later ones stay. */
function openedMessages(messages: readonly JsonValue[], summary: string): readonly JsonValue[] {
  const place = capsulePlace(messages);
  if (!place) return messages;
  const holder = objectOf(messages[place.message]);
  const rest = listOf(holder.content).slice(place.block + 1);
  const later = messages.slice(place.message + 1);
  const turns = rest.length > 0 ? [{ ...holder, content: rest }, ...later] : later;
  return withTextBefore(turns, summaryText(summary));
}

/** The summary, and the last turn if it is the user's words. */
function continuedMessages(messages: readonly JsonValue[], summary: string): readonly JsonValue[] {
  const last = objectOf(messages.at(-1));
  const isWords = last.role === "user" &&
    !objectsOf(last.content).some(({ type }) => type === "tool_result");
  return withTextBefore(isWords ? [last] : [], summaryText(summary));
}

/** Two turns of one role in a row are not accepted everywhere. */
function withTextBefore(turns: readonly JsonValue[], text: string): readonly JsonValue[] {
  const [first, ...others] = turns;
  const block = { type: "text", text };
  if (objectOf(first).role !== "user") return [{ role: "user", content: [block] }, ...turns];
  return [
    { ...objectOf(first), content: [block, ...blocksOf(objectOf(first).content)] },
    ...others,
  ];
}

function withUserText(turns: readonly JsonValue[], text: string): readonly JsonValue[] {
  const last = objectOf(turns.at(-1));
  const block = { type: "text", text };
  if (last.role !== "user") return [...turns, { role: "user", content: [block] }];
  return [...turns.slice(0, -1), { ...last, content: [...blocksOf(last.content), block] }];
}

function blocksOf(content: JsonValue | undefined): readonly JsonValue[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
}

import {
  type CanonicalRequest,
  type Continuation,
  isJsonObject,
  type JsonObject,
  type Part,
  type ReasoningPart,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../../canonical/mod.ts";
import { encodeLeadingTools } from "./additional_tools.ts";
import { approvalItems, approvalResponse } from "./approval.ts";
import { losesCitations } from "./answer/citations.ts";
import { encodeInput, encodeInputs, noteLosses } from "./content.ts";
import { reasoningIdOf, safeCallId } from "./ids.ts";
import { type ContentPart, encodeMessage, groupsOf } from "./item_encoder.ts";
import { format, ownFields } from "./native.ts";
import { encodeReasoningItem } from "./thoughts.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";
import { defined, objectOf, restOf } from "../wire_value.ts";

/** `instructions` and `input`. */
export function encodeConversation(
  { instructions, turns, tools }: CanonicalRequest,
  context: RequestContext,
): { instructions?: string; input: JsonObject[] } {
  const isAll = turns.length === 0 && !context.own;
  const leading = encodeInstructions(instructions, isAll, context);
  const kinds = callKinds(turns);
  const approvals = approvalItems(turns);
  const input = turns.flatMap((turn, index) =>
    encodeTurn(turn, `turns[${index}]`, { ...context, kinds, approvals })
  );
  return { ...leading, input: [...encodeLeadingTools(tools, context), ...leading.input, ...input] };
}

interface TurnContext extends RequestContext {
  /** Which calls were of custom tools, by id: a result must be of its call's kind. */
  readonly kinds: ReadonlyMap<string, ToolCallPart["kind"]>;
  /** The items of calls that asked for approval, by the call's id. */
  readonly approvals: ReadonlyMap<string, JsonObject>;
}

function callKinds(turns: readonly Turn[]): Map<string, ToolCallPart["kind"]> {
  const kinds = new Map<string, ToolCallPart["kind"]>();
  for (const { parts } of turns) {
    for (const part of parts) if (part.type === "tool-call") kinds.set(part.id, part.kind);
  }
  return kinds;
}

/**
 * Instructions that came as messages go back as messages. Others are one text, or a message of the
 * developer: where one of them marks a cache breakpoint, which the text cannot, and where they are
 * all that there is, since the vendor refuses an empty input.
 */
function encodeInstructions(
  parts: readonly TextPart[],
  isAll: boolean,
  { notes }: RequestContext,
): { instructions?: string; input: JsonObject[] } {
  const plain = parts.filter((part) => !isMessagePart(part));
  const messages = messagesOf(parts.filter(isMessagePart)).map((list) => ({
    ...messageHead(list[0]),
    content: encodeInputs(list, "instructions", notes),
  }));
  if (plain.length === 0) return { input: messages };
  const content = encodeInputs(plain, "instructions", notes);
  if (isAll || plain.some(({ cache }) => cache)) {
    return { input: [{ type: "message", role: "developer", content }, ...messages] };
  }
  return { instructions: plain.map(({ text }) => text).join("\n\n"), input: messages };
}

export function isMessagePart(part: TextPart): boolean {
  const own = ownFields(part);
  return own?.role !== undefined || own?.continues !== undefined;
}

function messagesOf(parts: readonly TextPart[]): TextPart[][] {
  const messages: TextPart[][] = [];
  for (const part of parts) {
    const last = messages.at(-1);
    if (last && ownFields(part)?.continues) last.push(part);
    else messages.push([part]);
  }
  return messages;
}

function messageHead(part: TextPart): JsonObject {
  const { id, status, phase, role, item } = ownFields(part) ?? {};
  return defined({
    ...objectOf(item),
    id,
    status,
    phase,
    type: "message",
    role: role ?? "developer",
  });
}

function encodeTurn(turn: Turn, path: string, context: TurnContext): JsonObject[] {
  context.notes.foreign(turn.native, `${path}.native`);
  switch (turn.role) {
    case "user":
    case "system":
      return encodeMessageTurn(turn, path, context);
    case "assistant":
      return encodeAssistantTurn(turn, path, context);
    default:
      return turn.role satisfies never;
  }
}

/** Results and whole items first, as they answer the calls before; then one message with the rest. */
function encodeMessageTurn(turn: Turn, path: string, context: TurnContext): JsonObject[] {
  const items: JsonObject[] = [];
  const content: JsonObject[] = [];
  for (const [index, part] of turn.parts.entries()) {
    const at = `${path}.parts[${index}]`;
    noteLosses(part, at, context.notes);
    if (part.type === "tool-result") items.push(encodeResult(part, at, context));
    else if (part.type === "tool-call") items.push(encodeCall(part, context));
    else if (isWholeItem(part)) items.push(objectOf(part.value));
    else {
      const encoded = encodeInput(part, at, context.notes);
      if (encoded) content.push(encoded);
    }
  }
  if (content.length === 0 && turn.parts.length > 0) return items;
  const own = ownFields(turn) ?? {};
  const role = turn.role === "user" ? "user" : "developer";
  return [...items, { type: "message", role, ...own, content }];
}

function isWholeItem(part: Part): part is Extract<Part, { type: "native" }> {
  return part.type === "native" && part.format === format && part.native === undefined &&
    isJsonObject(part.value);
}

function encodeAssistantTurn(turn: Turn, path: string, context: TurnContext): JsonObject[] {
  const items: JsonObject[] = [];
  const paths = new Map<Part, string>();
  for (const [index, part] of turn.parts.entries()) {
    const at = `${path}.parts[${index}]`;
    paths.set(part, at);
    noteLosses(part, at, context.notes);
    if (part.type === "text" && losesCitations(part)) {
      context.notes.add("citations", `${at}.citations`);
    }
    if (part.cache && !ownFields(part.cache)) context.notes.add("answerCache", `${at}.cache`);
  }
  const place = (part: Part) => paths.get(part) ?? path;
  const groups = groupsOf(turn.parts);
  for (const [index, group] of groups.entries()) {
    if (group.type === "message") {
      items.push(encodeMessage(group.parts satisfies ContentPart[], {}));
    } else if (group.type === "part") {
      items.push(...encodePart(group.part, place(group.part), context));
    } else items.push(...encodeReasoning(group.parts, index === groups.length - 1, place, context));
  }
  return items;
}

function encodePart(
  part: Exclude<Part, TextPart | ReasoningPart | { type: "refusal" }>,
  path: string,
  context: TurnContext,
): JsonObject[] {
  switch (part.type) {
    case "tool-call":
      return [encodeCall(part, context)];
    case "tool-result":
      return [encodeResult(part, path, context)];
    case "native": {
      if (isWholeItem(part)) return [objectOf(part.value)];
      const said = context.notes.asText(part, path);
      return said ? [encodeMessage([said], {})] : [];
    }
    case "image": {
      const own = ownFields(part);
      if (own?.type === "image_generation_call" && part.source.type === "base64") {
        return [{ ...own, result: part.source.data }];
      }
      context.notes.add("assistantMedia", path);
      return [];
    }
    case "audio":
    case "video":
    case "file":
      context.notes.add("assistantMedia", path);
      return [];
    default:
      return part satisfies never;
  }
}

/**
 * A reasoning item: this format's own as it was, and another's only with a proof that this vendor
 * issued. One that nothing follows is left out, as the vendor refuses it.
 */
function encodeReasoning(
  parts: readonly ReasoningPart[],
  last: boolean,
  place: (part: Part) => string,
  { notes }: TurnContext,
): JsonObject[] {
  const own = ownFields(parts[0]);
  const foreign = parts.some(({ continuation }) => continuation && continuation.issuer !== format);
  const proof = parts.map(({ continuation }) => continuation).find((found) =>
    found?.issuer === format
  );
  if (foreign || (!proof && !own) || (last && !own)) {
    for (const part of parts) notes.add("reasoning", place(part));
    return [];
  }
  const id = own?.id ?? idOf(proof);
  return [defined({
    id,
    status: own?.status,
    ...encodeReasoningItem(parts),
    encrypted_content: proof?.data,
  })];
}

function idOf(proof: Continuation | undefined): string | undefined {
  return proof && (proof.itemId ?? reasoningIdOf(proof.data));
}

function encodeCall(part: ToolCallPart, context: TurnContext): JsonObject {
  const approval = context.approvals.get(part.id);
  if (approval) return approval;
  const custom = part.kind === "custom";
  return defined({
    ...ownFields(part),
    type: custom ? "custom_tool_call" : "function_call",
    call_id: safeCallId(part.id),
    name: sentToolName(part, context),
    ...(custom ? { input: part.arguments } : { arguments: part.arguments || "{}" }),
    namespace: part.namespace,
  });
}

function encodeResult(part: ToolResultPart, path: string, context: TurnContext): JsonObject {
  const approval = context.approvals.get(part.callId);
  if (approval) return approvalResponse(approval, part);
  const kind = context.kinds.get(part.callId) ?? part.kind;
  const own = ownFields(part);
  return defined({
    ...own,
    type: kind === "custom" ? "custom_tool_call_output" : "function_call_output",
    call_id: own?.call_id === null ? undefined : safeCallId(part.callId),
    output: outputOf(part, path, context),
  });
}

/** One plain text stands as a string; nothing as an empty one, as `output` must be there. */
function outputOf(
  part: ToolResultPart,
  path: string,
  { notes }: TurnContext,
): string | JsonObject[] {
  const content = encodeInputs(part.parts, `${path}.parts`, notes);
  if (part.isError) notes.add("toolError", `${path}.isError`);
  const said = part.isError ? asError(content) : content;
  if (said.length === 0) return "";
  const [first] = said;
  const plain = said.length === 1 && first.type === "input_text" &&
    Object.keys(restOf(first, ["type", "text"])).length === 0;
  return plain ? String(first.text) : said;
}

const errorPrefix = "Error: ";

function asError(content: readonly JsonObject[]): JsonObject[] {
  const [first, ...rest] = content;
  if (first?.type !== "input_text") {
    return [{ type: "input_text", text: errorPrefix.trim() }, ...content];
  }
  const text = String(first.text);
  return [{ ...first, text: /^error\b/i.test(text) ? text : errorPrefix + text }, ...rest];
}

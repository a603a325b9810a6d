import type {
  CanonicalRequest,
  Continuation,
  JsonObject,
  Part,
  TextPart,
  Tool,
  ToolResultPart,
  Turn,
} from "../../canonical/mod.ts";
import { objectsOf, restOf, textOf, textOrNothing } from "../wire_value.ts";
import {
  additionalTools,
  changeOfKept,
  configurationUpdate,
  decodeConfigurationUpdate,
  decodeKeptTools,
  decodeLeadingTools,
} from "./conversation_changes.ts";
import { isHostedItem, nativeItem } from "./answer/hosted_markdown.ts";
import { decodeContent } from "./content.ts";
import { isMadeHere, OpenCalls } from "./ids.ts";
import { decodeAssistantItem, proofPlace } from "./items.ts";
import { keep, mark, ownFields } from "./native.ts";
import { itemType } from "./schema.ts";

interface Reading {
  readonly instructions: TextPart[];
  readonly turns: OpenTurn[];
  readonly tools: Tool[];
  /** True while only system messages came. */
  leading: boolean;
  readonly calls: OpenCalls;
  /** A continuation for the next part of the assistant. */
  proof?: Continuation;
}

interface OpenTurn {
  readonly role: Turn["role"];
  readonly parts: Part[];
  readonly native?: Turn["native"];
  /** True for a run of items, such as results of calls, that more items may join; a message is always alone. */
  readonly joinable: boolean;
}

/**
 * Decodes the flat list of items into turns: a run of the assistant's items is one turn, a run of
 * results another, and each message of a user or a system one of its own. Leading system messages
 * are instructions.
 */
export function decodeInput(
  instructions: unknown,
  input: unknown,
  items: readonly JsonObject[],
): Pick<CanonicalRequest, "instructions" | "turns" | "tools"> {
  const calls = new OpenCalls(items);
  const reading: Reading = { instructions: [], turns: [], tools: [], calls, leading: true };
  if (typeof instructions === "string") {
    reading.instructions.push({ type: "text", text: instructions });
  }
  if (typeof input === "string") {
    reading.turns.push({ role: "user", parts: [{ type: "text", text: input }], joinable: false });
  }
  for (const item of items) readItem(reading, item);
  return {
    instructions: reading.instructions,
    turns: reading.turns.map(({ role, parts, native }) => ({
      role,
      parts,
      ...(native && { native }),
    })),
    tools: reading.tools,
  };
}

function readItem(reading: Reading, item: JsonObject): void {
  const type = itemType(item) ?? "";
  if (type === "message" && item.role !== "assistant") return readMessage(reading, item);
  const leads = reading.leading && type === additionalTools ? decodeLeadingTools(item) : undefined;
  if (leads) return void reading.tools.push(...leads);
  reading.leading = false;
  reading.calls.see(item);
  if (type === additionalTools) {
    const change = changeOfKept(item);
    reading.tools.push(...decodeKeptTools(item));
    return append(reading, "system", [
      { ...nativeItem(item), ...(change && { change }) },
    ]);
  }
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return append(reading, "user", [decodeOutput(item, type, reading.calls)]);
  }
  if (type === configurationUpdate) {
    return append(reading, "system", [decodeConfigurationUpdate(item)]);
  }
  const role = roleOf(item, type);
  if (role !== "assistant") return append(reading, role, [nativeItem(item)]);
  const parts = decodeAssistantItem(item, type);
  return readAssistant(
    reading,
    parts,
    type === "message" && ownFields(parts[0] ?? {})?.id === undefined,
  );
}

/** A message of a user, a system or a developer. */
function readMessage(reading: Reading, item: JsonObject): void {
  const parts = contentOf(item.content);
  const fields = restOf(item, ["type", "role", "content"]);
  if (item.role === "user") {
    reading.leading = false;
    reading.turns.push({ role: "user", parts, joinable: false, ...keep(fields) });
    return;
  }
  const role = textOf(item.role);
  if (reading.leading && parts.length > 0 && parts.every((part) => part.type === "text")) {
    reading.instructions.push(
      ...parts.map((part, index) => asInstruction(part, index, { ...fields, role })),
    );
    return;
  }
  reading.leading = false;
  reading.turns.push({ role: "system", parts, joinable: false, ...mark({ ...fields, role }) });
}

/** The first part has the fields of the message; the others are marked as its continuation. */
function asInstruction(part: TextPart, index: number, message: JsonObject): TextPart {
  const own = ownFields(part) ?? {};
  const fields = index > 0 ? { continues: true } : itemFields(message);
  return { ...part, ...mark({ ...own, ...fields }) };
}

function itemFields({ id, status, phase, role, ...rest }: JsonObject): JsonObject {
  return {
    ...(role !== undefined && { role }),
    ...(id !== undefined && { id }),
    ...(status !== undefined && { status }),
    ...(phase !== undefined && { phase }),
    ...(Object.keys(rest).length > 0 && { item: rest }),
  };
}

function contentOf(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return objectsOf(content).map(decodeContent);
}

/** An output that is an empty string has no parts. */
function decodeOutput(item: JsonObject, type: string, calls: OpenCalls): ToolResultPart {
  const id = textOf(item.id);
  const fields = restOf(item, ["type", "call_id", "output", ...(isMadeHere(id) ? ["id"] : [])]);
  const name = textOrNothing(item.name);
  const stated = textOf(item.call_id);
  return {
    type: "tool-result",
    callId: stated || calls.take(item),
    ...(name && { name }),
    kind: type === "custom_tool_call_output" ? "custom" : "function",
    parts: item.output === "" ? [] : contentOf(item.output),
    isError: false,
    ...keep({ ...fields, ...(stated === "" && { call_id: null }) }),
  };
}

/** Items of the assistant that no hosted tool made; a role beside their type says nothing. */
const typesOfAssistant: ReadonlySet<string> = new Set([
  "reasoning",
  "function_call",
  "custom_tool_call",
]);

function roleOf(item: JsonObject, type: string): Turn["role"] {
  const role = isHostedItem(type) || typesOfAssistant.has(type) ? undefined : item.role;
  if (role === "developer" || role === "system") return "system";
  return role === "user" ||
      /_output$|_response$|^item_reference$|^compaction_trigger$/.test(type)
    ? "user"
    : "assistant";
}

function append(reading: Reading, role: Turn["role"], parts: readonly Part[]): void {
  const last = reading.turns.at(-1);
  if (last?.joinable && last.role === role) last.parts.push(...parts);
  else reading.turns.push({ role, parts: [...parts], joinable: true });
}

/** The turns distinguish two messages without ids. */
function readAssistant(reading: Reading, parts: readonly Part[], alone: boolean): void {
  for (const part of parts) {
    const place = proofPlace(part);
    if (place === "next") reading.proof = part.continuation;
    else if (place === "previous") proveLast(reading, part.continuation);
  }
  const placed = parts.filter((part) => proofPlace(part) === undefined).map((part) =>
    proven(reading, part)
  );
  if (placed.length === 0 && parts.length > 0) return;
  const last = reading.turns.at(-1);
  const follows = last?.role === "assistant" ? last.parts.at(-1) : undefined;
  const ambiguous = alone && (follows?.type === "text" || follows?.type === "refusal") &&
    ownFields(follows)?.id === undefined;
  if (ambiguous) reading.turns.push({ role: "assistant", parts: placed, joinable: true });
  else append(reading, "assistant", placed);
}

function proven(reading: Reading, part: Part): Part {
  if (!reading.proof || (part.type !== "text" && part.type !== "tool-call")) return part;
  const { issuer, data } = reading.proof;
  reading.proof = undefined;
  return { ...part, continuation: { issuer, data } };
}

function proveLast(reading: Reading, proof: Continuation | undefined): void {
  const parts = reading.turns.at(-1)?.parts;
  const last = parts?.at(-1);
  if (!parts || !proof || (last?.type !== "text" && last?.type !== "tool-call")) return;
  parts[parts.length - 1] = { ...last, continuation: { issuer: proof.issuer, data: proof.data } };
}

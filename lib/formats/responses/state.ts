import { isJsonObject, isSealed, type JsonObject, type Note } from "../../canonical/mod.ts";
import { surelyLacks } from "../../json/mod.ts";
import { traitsOf } from "../request/settings.ts";
import { refused } from "../schema.ts";
import type {
  MemberChanges,
  ReportedState,
  SealOwner,
  StateCodec,
  StateWanted,
} from "../state_codec.ts";
import { listOf, objectIn, objectsOf, textOf, textOrNothing } from "../wire_value.ts";
import { withUsual } from "./answer/echo.ts";
import { requiredInput } from "./answer/required_input.ts";
import { AnswerStateReader, reportedMembers } from "./answer/state.ts";
import { SteerableReader } from "./answer/steerable_reader.ts";
import { wireEvent } from "./error.ts";
import { answerOfMadeItem, isMadeHere } from "./ids.ts";
import { noteTable } from "./notes.ts";
import { itemType } from "./schema.ts";

/** Stored responses, continued with `previous_response_id` or a `conversation`, and background responses. */
export const state: StateCodec = {
  wanted,
  inputItems: ({ input }) =>
    typeof input === "string"
      ? [{ type: "message", role: "user", content: input }]
      : itemsIn(input),
  mayName: (body) => !surelyLacks(body, "input", idOrEscape),
  referenceIn: (item) => itemType(item) === "item_reference" ? textOrNothing(item.id) : undefined,
  stateless,
  forUpstream,
  sealIn,
  bareThoughtIn: (item) => isBareThought(item) ? textOrNothing(item.id) : undefined,
  // a vendor that stored nothing knows its own reasoning only by its seal or its text
  isReplayable: (item) => !isBareThought(item) || isMadeHere(textOf(item.id)),
  leftOut: (place) => noteAt("reasoningUnknown", place),
  answerReader: (reported, isSteerable) =>
    isSteerable ? new SteerableReader(reported) : new AnswerStateReader(reported),
  requiredInput,
  outputItems: ({ output }) => objectsOf(output),
  answerId: ({ id }) => typeof id === "string" && idPattern.test(id) ? id : undefined,
  answerOfItem: answerOfMadeItem,
  listed,
  idPrefix: (item) => prefixes.get(itemType(item) ?? "") ?? "item",
  queued,
  begun: (queued) => ({ ...queued, status: "in_progress" }),
  cancelled: (queued) => ({ ...queued, status: "cancelled" }),
  failed: (queued, latest, { message }) => ({
    ...queued,
    status: "failed",
    error: latest?.error ?? { code: "server_error", message },
    output: latest?.output ?? [],
    usage: latest?.usage ?? null,
  }),
  unmadeCall: (items) => {
    const isResult = (item: JsonObject) => itemType(item)?.endsWith("_output") === true;
    const made = new Set(items.filter((item) => !isResult(item)).map((item) => item.call_id));
    const found = items.find((item) => isResult(item) && !made.has(item.call_id));
    return textOrNothing(found?.call_id);
  },
  prepared: (body, reported, createdAtMs) => {
    const begun = { ...queued(body, reported, createdAtMs), status: "in_progress" };
    const events = ["response.created", "response.in_progress"].map((type, place) =>
      wireEvent({ type, sequence_number: place, response: begun })
    );
    const response = { ...begun, status: "completed", usage: nothingUsed };
    const end = { type: "response.completed", sequence_number: events.length, response };
    return [...events, wireEvent(end)];
  },
  endOf: (answer, place) => {
    const type = answer.status === "completed" || answer.status === "incomplete"
      ? `response.${answer.status}`
      : "response.failed"; // the vendor has no event for a cancelled response
    return wireEvent({ type, sequence_number: place, response: answer });
  },
  placed(event, place) {
    const wire = objectIn(event.data) ?? {};
    if (typeof wire.sequence_number === "number") return { event, place: wire.sequence_number };
    return {
      event: { ...event, data: JSON.stringify({ ...wire, sequence_number: place }) },
      place,
    };
  },
};

const nothingUsed: JsonObject = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};
const idPattern = /^[\w.:=+~-]{1,500}$/;
/** The member that each reference to a stored item has, or an escape that may spell it. */
const idOrEscape = /"id"|\\u00/;
const reasoningInclude = "reasoning.encrypted_content";

const prefixes = new Map([
  ["message", "msg"],
  ["function_call", "fc"],
  ["function_call_output", "fco"],
  ["custom_tool_call", "ctc"],
  ["custom_tool_call_output", "ctco"],
  ["reasoning", "rs"],
]);

function wanted(body: JsonObject): StateWanted {
  const { store, previous_response_id: previous, conversation, background } = body;
  if (isSaid(store) && typeof store !== "boolean") throw refused("store", "must be true or false");
  if (isSaid(background) && typeof background !== "boolean") {
    throw refused("background", "must be true or false");
  }
  const previousId = isSaid(previous) ? idIn(previous, "previous_response_id") : undefined;
  const conversationId = isSaid(conversation)
    ? idIn(isJsonObject(conversation) ? conversation.id : conversation, "conversation")
    : undefined;
  if (previousId !== undefined && conversationId !== undefined) {
    throw refused(
      "previous_response_id",
      "cannot be combined with conversation: send one of them",
    );
  }
  if (background === true && store === false) {
    throw refused("background", "requires store: true, because the answer is retrieved later");
  }
  return {
    background: background === true,
    ...(typeof store === "boolean" && { store }),
    ...(previousId !== undefined && { previousId }),
    ...(conversationId !== undefined && { conversationId }),
  };
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function idIn(value: unknown, name: string): string {
  if (typeof value === "string" && idPattern.test(value)) return value;
  throw refused(name, "must be an id, of letters, digits, underscores and dashes");
}

function stateless(body: JsonObject, items: readonly JsonObject[] | undefined): MemberChanges {
  return {
    store: false,
    ...sealing(body, textOf(body.model)),
    ...Object.fromEntries(
      ["previous_response_id", "conversation", "background"].filter((name) => name in body)
        .map((name) => [name, undefined]),
    ),
    ...(items && { input: items }),
  };
}

/**
 * Requests sealed reasoning, so that a model can continue thinking although its vendor stores
 * nothing. Models without reasoning refuse the request (2025-11), so it is made only for others.
 */
function sealing({ reasoning, include }: JsonObject, model: string): MemberChanges {
  const thinks = isJsonObject(reasoning) || !traitsOf(model).sampling;
  const asked = listOf(include);
  return thinks && !asked.includes(reasoningInclude)
    ? { include: [...asked, reasoningInclude] }
    : {};
}

function forUpstream(body: JsonObject, { model, isForeign }: SealOwner) {
  const items = Array.isArray(body.input) ? objectsOf(body.input) : [];
  const known: JsonObject[] = [];
  const notes: Note[] = [];
  for (const [place, item] of items.entries()) {
    const seal = sealIn(item);
    if (seal === undefined || !isForeign(seal)) known.push(item);
    else notes.push(noteAt("reasoningSealed", place));
  }
  const members = { ...sealing(body, model), ...(notes.length > 0 && { input: known }) };
  return { members, notes };
}

function noteAt(id: "reasoningSealed" | "reasoningUnknown", place: number | undefined): Note {
  return { ...noteTable[id], path: place === undefined ? "input" : `input[${place}]` };
}

/** The vendor's own seal: the gateway's seals are opened before a request is sent. */
function sealIn(item: JsonObject): string | undefined {
  const seal = itemType(item) === "reasoning" ? textOf(item.encrypted_content) : "";
  return seal === "" || isSealed(seal) ? undefined : seal;
}

function isBareThought(item: JsonObject): boolean {
  return itemType(item) === "reasoning" && textOf(item.encrypted_content) === "" &&
    objectsOf(item.content).length === 0;
}

/** Keeps entries that are not objects, so that they are refused later instead of being lost. */
function itemsIn(input: unknown): readonly JsonObject[] {
  const wrong = listOf(input).findIndex((item) => !isJsonObject(item));
  if (wrong >= 0) throw refused(`input[${wrong}]`, "must be an object");
  return objectsOf(input);
}

/** Every item of a list has an id and a type, and every message has parts. */
function listed(item: JsonObject, id: string): JsonObject {
  const type = itemType(item) ?? "message";
  const { content } = item;
  const parts = type === "message" && typeof content === "string"
    ? {
      content: [{ type: item.role === "assistant" ? "output_text" : "input_text", text: content }],
    }
    : {};
  const status = type === "message" && !isSaid(item.status) ? { status: "completed" } : {};
  return { ...item, id: textOrNothing(item.id) ?? id, type, ...parts, ...status };
}

/** The response object that the caller gets at once. */
function queued(body: JsonObject, reported: ReportedState, createdAtMs: number): JsonObject {
  return {
    ...withUsual(body),
    ...{ completed_at: null, error: null, incomplete_details: null },
    id: reported.id ?? "",
    object: "response",
    created_at: Math.floor(createdAtMs / 1000),
    status: "queued",
    model: textOf(body.model),
    output: [],
    usage: null,
    ...reportedMembers(reported),
  };
}

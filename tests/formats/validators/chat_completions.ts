import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { listOf, objectIn, objectOf, textOf } from "../../../lib/formats/wire_value.ts";
import type { StreamValidator } from "./stream_validator.ts";

interface ChoiceCheck {
  finished: boolean;
  /** Kinds of the calls opened so far, by index. */
  readonly calls: string[];
}

interface ValidatorState {
  readonly violations: string[];
  readonly choices: Map<number, ChoiceCheck>;
  head?: string;
  events: number;
  /** The end of the stream: `[DONE]` or an error. */
  ending?: "done" | "error";
  usageSeen: boolean;
}

const finishReasons: ReadonlySet<unknown> = new Set([
  "stop",
  "length",
  "tool_calls",
  "content_filter",
  "function_call",
]);
/** Maximum violations listed, so that a broken stream cannot fill the memory. */
const violationsMax = 50;

/** Checks chunks by the rules of the vendor's SDK and of strict clients. */
export function streamValidator(): StreamValidator {
  const state: ValidatorState = {
    violations: [],
    choices: new Map(),
    events: 0,
    usageSeen: false,
  };
  return { push: (event) => push(state, event), end: () => end(state) };
}

function push(state: ValidatorState, { event, data }: ServerSentEvent): void {
  state.events++;
  if (state.ending) return complain(state, `an event follows the ${state.ending} event`);
  if (event !== undefined) complain(state, `an event is named ${event}`);
  if (data === "[DONE]") return checkDone(state);
  const chunk = objectIn(data);
  if (!chunk) return complain(state, "data is not a JSON object");
  if (chunk.error !== undefined) return checkError(state, chunk);
  checkHead(state, chunk);
  if (!Array.isArray(chunk.choices)) return complain(state, "choices is not an array");
  if (isJsonObject(chunk.usage)) checkUsage(state, chunk);
  for (const choice of chunk.choices) checkChoice(state, objectOf(choice));
}

function end(state: ValidatorState): readonly string[] {
  if (state.events > 0 && !state.ending) complain(state, "the stream ends without [DONE] or error");
  return state.violations;
}

function checkDone(state: ValidatorState): void {
  state.ending = "done";
  if (state.choices.size === 0) complain(state, "[DONE] comes before any choice");
  for (const [index, { finished }] of state.choices) {
    if (!finished) complain(state, `choice ${index} has no finish_reason`);
  }
}

function checkError(state: ValidatorState, { error }: JsonObject): void {
  state.ending = "error";
  if (typeof objectOf(error).message !== "string") complain(state, "error.message is not a string");
}

/** Every chunk repeats the same four members. */
function checkHead(state: ValidatorState, { id, object, created, model }: JsonObject): void {
  if (typeof id !== "string" || typeof model !== "string") {
    complain(state, "id or model is not a string");
  }
  if (object !== "chat.completion.chunk") complain(state, "object is not chat.completion.chunk");
  if (typeof created !== "number") complain(state, "created is not a number");
  const head = JSON.stringify([id, created, model]);
  if (state.head !== undefined && state.head !== head) {
    complain(state, "id, created or model changes within the stream");
  }
  state.head = head;
}

function checkUsage(state: ValidatorState, { choices }: JsonObject): void {
  if (state.usageSeen) complain(state, "usage is stated twice");
  state.usageSeen = true;
  if (listOf(choices).length > 0) complain(state, "the chunk with usage has choices");
  for (const [index, { finished }] of state.choices) {
    if (!finished) complain(state, `usage comes before the finish_reason of choice ${index}`);
  }
}

function checkChoice(state: ValidatorState, choice: JsonObject): void {
  const { index, delta, finish_reason: reason } = choice;
  if (typeof index !== "number") return complain(state, "a choice has no index");
  if (!isJsonObject(delta)) return complain(state, `choice ${index} has no delta object`);
  if (state.usageSeen) complain(state, `choice ${index} follows the usage`);
  const check = checkOf(state, index, delta);
  if (check.finished) complain(state, `choice ${index} goes on after its finish_reason`);
  for (const call of listOf(delta.tool_calls)) checkCall(state, index, check, objectOf(call));
  if (reason === null || reason === undefined) return;
  if (!finishReasons.has(reason)) complain(state, `choice ${index} has an unknown finish_reason`);
  check.finished = true;
}

function checkOf(state: ValidatorState, index: number, delta: JsonObject): ChoiceCheck {
  const known = state.choices.get(index);
  if (known) {
    if (delta.role !== undefined) complain(state, `choice ${index} states its role twice`);
    return known;
  }
  if (delta.role !== "assistant") complain(state, `choice ${index} does not begin with its role`);
  const check = { finished: false, calls: [] };
  state.choices.set(index, check);
  return check;
}

function checkCall(
  state: ValidatorState,
  choice: number,
  { calls }: ChoiceCheck,
  wire: JsonObject,
): void {
  const { index } = wire;
  if (typeof index !== "number") return complain(state, `a call of choice ${choice} has no index`);
  const at = `call ${index} of choice ${choice}`;
  const kind = calls[index];
  if (kind !== undefined) {
    if (wire.id !== undefined) complain(state, `${at} states its id twice`);
    if (textOf(objectOf(wire[kind]).name) !== "") complain(state, `${at} states its name twice`);
    return;
  }
  if (index !== calls.length) return complain(state, `${at} leaves a gap in the indices`);
  checkCallOpening(state, at, wire);
  calls.push(textOf(wire.type));
}

function checkCallOpening(state: ValidatorState, at: string, wire: JsonObject): void {
  const { id, type } = wire;
  if (textOf(id) === "") complain(state, `${at} has no id`);
  if (type !== "function" && type !== "custom") return complain(state, `${at} has no type`);
  const called = objectOf(wire[type]);
  if (textOf(called.name) === "") complain(state, `${at} has no name`);
  const text = type === "function" ? called.arguments : called.input;
  if (typeof text !== "string") complain(state, `${at} has no text of arguments`);
}

function complain({ violations }: ValidatorState, problem: string): void {
  if (violations.length < violationsMax) violations.push(problem);
}

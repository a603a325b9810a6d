import { listOf, objectIn, objectOf, textOf } from "../wire_value.ts";
import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import type { StreamValidator } from "../stream.ts";
import type { ServerSentEvent } from "../wire.ts";

export function streamValidator(): StreamValidator {
  return new ResponsesValidator();
}

/** An item that was added and is not done. */
interface OpenItem {
  readonly index: number;
  readonly type: string;
  /** Open pieces by `content:0` and `summary:0`, with the text so far. */
  readonly pieces: Map<string, string>;
  readonly counts: { content: number; summary: number };
  arguments: string;
}

interface ValidatorState {
  readonly violations: string[];
  sequence: number;
  phase: "before" | "open" | "erred" | "ended";
  item?: OpenItem;
  items: number;
}

const violationsMax = 50;

class ResponsesValidator implements StreamValidator {
  readonly #state: ValidatorState = { violations: [], sequence: 0, phase: "before", items: 0 };

  push({ event, data }: ServerSentEvent): void {
    const state = this.#state;
    if (data.trim() === "[DONE]") {
      return assert(state, state.phase === "ended", "[DONE] before the end");
    }
    const wire = objectIn(data);
    if (!wire) return assert(state, false, "an event is not a JSON object");
    const type = textOf(wire.type);
    assert(state, event === type, `event ${event ?? "without a name"} carries the type ${type}`);
    checkSequence(state, wire, type);
    assert(state, state.phase !== "ended", `${type} after the end`);
    assert(state, state.phase !== "erred" || type === "response.failed", `${type} after an error`);
    checkEvent(state, type, wire);
  }

  end(): readonly string[] {
    const { violations, phase } = this.#state;
    return phase === "ended" ? violations : [...violations, "the stream has no terminal event"];
  }
}

function checkSequence(
  state: ValidatorState,
  { sequence_number: number }: JsonObject,
  type: string,
): void {
  assert(
    state,
    number === state.sequence,
    `${type} has sequence_number ${number}, not ${state.sequence}`,
  );
  state.sequence++;
}

function checkEvent(state: ValidatorState, type: string, wire: JsonObject): void {
  switch (type) {
    case "response.created":
      assert(state, state.phase === "before", "response.created twice");
      state.phase = "open";
      return checkHead(state, wire);
    case "response.queued":
    case "response.in_progress":
    case "keepalive":
      return assert(state, state.phase !== "before", `${type} before response.created`);
    case "response.output_item.added":
      return checkAdded(state, wire);
    case "response.output_item.done":
      return checkDone(state, wire);
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
      return checkTerminal(state, type, wire);
    case "error":
      state.phase = "erred";
      return assert(
        state,
        textOf(objectOf(wire.error).message) !== "" || textOf(wire.message) !== "",
        "error without a message",
      );
    default:
      return checkInItem(state, type, wire);
  }
}

function checkHead(state: ValidatorState, wire: JsonObject): void {
  const response = objectOf(wire.response);
  assert(state, textOf(response.id) !== "", "response.created without an id");
  assert(state, listOf(response.output).length === 0, "response.created with output");
}

function checkAdded(state: ValidatorState, wire: JsonObject): void {
  const item = objectOf(wire.item);
  const type = textOf(item.type);
  assert(state, state.phase === "open", "an item before response.created");
  assert(
    state,
    !state.item,
    `item ${wire.output_index} opens while item ${state.item?.index} is open`,
  );
  assert(
    state,
    wire.output_index === state.items,
    `output_index ${wire.output_index}, not ${state.items}`,
  );
  assert(
    state,
    type !== "" && textOf(item.id) !== "",
    `item ${state.items} lacks its type or its id`,
  );
  state.item = {
    index: state.items++,
    type,
    pieces: new Map(),
    counts: { content: 0, summary: 0 },
    arguments: "",
  };
}

function checkDone(state: ValidatorState, wire: JsonObject): void {
  const { item } = state;
  state.item = undefined;
  const done = objectOf(wire.item);
  if (!item || wire.output_index !== item.index) {
    return assert(state, false, `item ${wire.output_index} is done but not open`);
  }
  assert(state, textOf(done.type) === item.type, `item ${item.index} changed its type`);
  assert(state, item.pieces.size === 0, `item ${item.index} is done with an open part`);
  if (isCall(item.type)) checkCall(state, item, done);
}

function checkCall(state: ValidatorState, item: OpenItem, done: JsonObject): void {
  const text = item.type === "function_call" ? done.arguments : done.input;
  assert(
    state,
    textOf(done.call_id) !== "" && textOf(done.name) !== "",
    `call ${item.index} lacks call_id or name`,
  );
  assert(state, typeof text === "string", `call ${item.index} lacks its arguments as a string`);
  const differs = item.arguments !== "" && text !== item.arguments;
  assert(state, !differs, `call ${item.index} ends with other arguments than its deltas`);
}

function checkTerminal(state: ValidatorState, type: string, wire: JsonObject): void {
  const response = objectOf(wire.response);
  const failed = type === "response.failed";
  assert(state, state.phase !== "before" || failed, `${type} before response.created`);
  assert(state, failed || !state.item, `${type} with item ${state.item?.index} open`);
  assert(state, Array.isArray(response.output), `${type} without output`);
  const count = listOf(response.output).length;
  assert(
    state,
    failed || count === state.items,
    `${type} has ${count} items, ${state.items} were streamed`,
  );
  assert(state, failed || isJsonObject(response.usage), `${type} without usage`);
  assert(state, !failed || isJsonObject(response.error), "response.failed without an error");
  state.phase = "ended";
}

/** Events within the open item. Those of hosted tools and unknown ones only need it to be open. */
function checkInItem(state: ValidatorState, type: string, wire: JsonObject): void {
  const { item } = state;
  if (typeof wire.output_index !== "number") {
    return assert(state, !type.endsWith(".delta"), `${type} without output_index`);
  }
  if (!item || wire.output_index !== item.index) {
    return assert(state, false, `${type} outside of its item ${wire.output_index}`);
  }
  const rule = rules.get(type);
  if (rule) rule(state, item, wire);
}

type Rule = (state: ValidatorState, item: OpenItem, wire: JsonObject) => void;

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["response.content_part.added", added("content")],
  ["response.content_part.done", closed("content")],
  ["response.reasoning_summary_part.added", added("summary")],
  ["response.reasoning_summary_part.done", closed("summary")],
  ["response.output_text.delta", delta("content")],
  ["response.output_text.done", text("content", "text")],
  ["response.refusal.delta", delta("content")],
  ["response.refusal.done", text("content", "refusal")],
  ["response.reasoning_text.delta", delta("content")],
  ["response.reasoning_text.done", text("content", "text")],
  ["response.reasoning_summary_text.delta", delta("summary")],
  ["response.reasoning_summary_text.done", text("summary", "text")],
  ["response.function_call_arguments.delta", callDelta("function_call")],
  ["response.function_call_arguments.done", callDone("function_call", "arguments")],
  ["response.custom_tool_call_input.delta", callDelta("custom_tool_call")],
  ["response.custom_tool_call_input.done", callDone("custom_tool_call", "input")],
]);

type PieceKind = keyof OpenItem["counts"];

function added(kind: PieceKind): Rule {
  return (state, item, wire) => {
    const index = wire[`${kind}_index`];
    assert(state, index === item.counts[kind], `${kind}_index ${index}, not ${item.counts[kind]}`);
    assert(
      state,
      item.pieces.size === 0,
      `a part of item ${item.index} opens while another is open`,
    );
    item.pieces.set(`${kind}:${index}`, "");
    item.counts[kind]++;
  };
}

function closed(kind: PieceKind): Rule {
  return (state, item, wire) => {
    const index = wire[`${kind}_index`];
    assert(
      state,
      item.pieces.delete(`${kind}:${index}`),
      `${kind} part ${index} of item ${item.index} is done but not open`,
    );
  };
}

function delta(kind: PieceKind): Rule {
  return (state, item, wire) => {
    const key = `${kind}:${wire[`${kind}_index`]}`;
    const before = item.pieces.get(key);
    assert(
      state,
      before !== undefined,
      `a delta for ${key} of item ${item.index}, which is not open`,
    );
    assert(state, typeof wire.delta === "string", `a delta of item ${item.index} is not a string`);
    if (before !== undefined) item.pieces.set(key, before + textOf(wire.delta));
  };
}

function text(kind: PieceKind, member: string): Rule {
  return (state, item, wire) => {
    const key = `${kind}:${wire[`${kind}_index`]}`;
    const same = item.pieces.get(key) === wire[member];
    assert(state, same, `${key} of item ${item.index} ends with another text than its deltas`);
  };
}

function callDelta(type: string): Rule {
  return (state, item, wire) => {
    assert(state, item.type === type, `item ${item.index} is no ${type}`);
    item.arguments += textOf(wire.delta);
  };
}

function callDone(type: string, member: string): Rule {
  return (state, item, wire) => {
    assert(state, item.type === type, `item ${item.index} is no ${type}`);
    assert(
      state,
      wire[member] === item.arguments,
      `call ${item.index} ends with other ${member} than its deltas`,
    );
  };
}

function isCall(type: string): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

function assert(state: ValidatorState, holds: boolean, violation: string): void {
  if (!holds && state.violations.length < violationsMax) state.violations.push(violation);
}

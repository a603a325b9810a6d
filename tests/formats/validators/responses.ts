import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import {
  listOf,
  objectIn,
  objectOf,
  positionText,
  textOf,
} from "../../../lib/formats/wire_value.ts";
import { assert, isCall, type OpenItem, rules, type ValidatorState } from "./responses_rules.ts";
import type { StreamValidator } from "./stream_validator.ts";

export function streamValidator(): StreamValidator {
  return new ResponsesValidator();
}

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
    `${type} has sequence_number ${positionText(number)}, not ${state.sequence}`,
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
    `item ${positionText(wire.output_index)} opens while item ${state.item?.index} is open`,
  );
  assert(
    state,
    wire.output_index === state.items,
    `output_index ${positionText(wire.output_index)}, not ${state.items}`,
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
    return assert(state, false, `item ${positionText(wire.output_index)} is done but not open`);
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

/** Events within the open item. For those of hosted tools and unknown ones it only has to be open. */
function checkInItem(state: ValidatorState, type: string, wire: JsonObject): void {
  const { item } = state;
  if (typeof wire.output_index !== "number") {
    return assert(state, !type.endsWith(".delta"), `${type} without output_index`);
  }
  if (!item || wire.output_index !== item.index) {
    return assert(state, false, `${type} outside of its item ${positionText(wire.output_index)}`);
  }
  const rule = rules.get(type);
  if (rule) rule(state, item, wire);
}

import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { objectIn, objectOf, positionText, textOf } from "../../../lib/formats/wire_value.ts";
import { parsedSimple } from "../../../lib/json/simple.ts";
import type { StreamValidator } from "./stream_validator.ts";

export function streamValidator(): StreamValidator {
  return new MessagesValidator();
}

interface ValidatorState {
  readonly violations: string[];
  phase: "before" | "open" | "delta" | "ended";
  /** The open block. */
  block?: { readonly index: number; readonly type: string; json: string };
  blocks: number;
  calls: boolean;
  /** Blocks whose input is not valid JSON. */
  readonly unreadable: number[];
}

const violationsMax = 50;

/** Checks the protocol on which the vendor's SDK relies: named events, dense indices, one block at a time. */
class MessagesValidator implements StreamValidator {
  readonly #state: ValidatorState = {
    violations: [],
    phase: "before",
    blocks: 0,
    calls: false,
    unreadable: [],
  };

  push({ event, data }: ServerSentEvent): void {
    const state = this.#state;
    const wire = objectIn(data);
    if (!wire) return check(state, false, "an event is not a JSON object");
    const type = textOf(wire.type);
    check(state, event === type, `event ${event ?? "without a name"} carries the type ${type}`);
    if (type === "ping") return;
    check(state, state.phase !== "ended", `${type} after the end`);
    checkEvent(state, type, wire);
  }

  end(): readonly string[] {
    const { violations, phase } = this.#state;
    return phase === "ended" ? violations : [...violations, "the stream has no terminal event"];
  }
}

function checkEvent(state: ValidatorState, type: string, wire: JsonObject): void {
  switch (type) {
    case "message_start":
      return checkStart(state, objectOf(wire.message));
    case "content_block_start":
      return checkBlockStart(state, wire);
    case "content_block_delta":
      return checkBlockDelta(state, wire);
    case "content_block_stop":
      return checkBlockStop(state, wire);
    case "message_delta":
      return checkMessageDelta(state, wire);
    case "message_stop":
      check(state, state.phase === "delta", "message_stop without message_delta");
      state.phase = "ended";
      return;
    case "error":
      return checkError(state, objectOf(wire.error));
    default:
      check(state, false, `${type || "an event without a type"} is no event of this format`);
  }
}

function checkStart(state: ValidatorState, message: JsonObject): void {
  check(state, state.phase === "before", "message_start twice");
  if (state.phase === "before") state.phase = "open";
  const { id, model, role, type, content, usage } = message;
  check(state, typeof id === "string" && id !== "", "message_start has no message.id");
  check(state, typeof model === "string", "message_start has no message.model");
  check(state, type === "message" && role === "assistant", "message_start holds no message");
  check(state, Array.isArray(content) && content.length === 0, "message_start has content already");
  check(
    state,
    isJsonObject(usage) && typeof usage.input_tokens === "number" &&
      typeof usage.output_tokens === "number",
    "message_start has no usage",
  );
}

function checkBlockStart(state: ValidatorState, { index, content_block: block }: JsonObject): void {
  const place = `block ${positionText(index)}`;
  check(state, state.phase === "open", "content_block_start outside of the message's content");
  check(state, !state.block, `${place} starts while block ${state.block?.index} is open`);
  check(state, index === state.blocks, `${place} starts where ${state.blocks} is next`);
  check(state, isJsonObject(block), `${place} has no content_block`);
  const { type, id, name, input } = objectOf(block);
  check(state, typeof type === "string", `${place} has no type`);
  if (type === "tool_use") {
    check(
      state,
      typeof id === "string" && /^[a-zA-Z0-9_-]+$/.test(id) && typeof name === "string" &&
        name !== "" && isJsonObject(input),
      `${place} is a tool_use without a usable id, name or input`,
    );
    state.calls = true;
  }
  const number = typeof index === "number" ? index : state.blocks;
  state.block = { index: number, type: textOf(type), json: "" };
  state.blocks = Math.max(state.blocks, number) + 1;
}

/** Deltas of the growing blocks; those of beta features pass. */
const deltasOf = new Map([
  ["text_delta", { field: "text", block: ["text"] }],
  ["citations_delta", { field: "citation", block: ["text"] }],
  ["thinking_delta", { field: "thinking", block: ["thinking"] }],
  ["signature_delta", { field: "signature", block: ["thinking"] }],
  [
    "input_json_delta",
    { field: "partial_json", block: ["tool_use", "server_tool_use", "mcp_tool_use"] },
  ],
]);

function checkBlockDelta(state: ValidatorState, { index, delta }: JsonObject): void {
  const { block } = state;
  if (!block || block.index !== index) {
    return check(state, false, `delta for block ${positionText(index)}, which is not open`);
  }
  const type = textOf(objectOf(delta).type);
  const row = deltasOf.get(type);
  if (!row) return check(state, type !== "", `a delta of block ${index} has no type`);
  const value = objectOf(delta)[row.field];
  check(state, row.block.includes(block.type), `${type} in a ${block.type} block`);
  const fits = row.field === "citation" ? isJsonObject(value) : typeof value === "string";
  check(state, fits, `${type} of block ${index} has no ${row.field}`);
  if (row.field === "partial_json") block.json += textOf(value);
}

function checkBlockStop(state: ValidatorState, { index }: JsonObject): void {
  const { block } = state;
  if (!block || block.index !== index) {
    return check(state, false, `stop of block ${positionText(index)}, which is not open`);
  }
  state.block = undefined;
  if (block.json !== "" && !isReadable(block.json)) state.unreadable.push(block.index);
}

/** Only a limit may cut off the input of a call. */
const limits: readonly unknown[] = ["max_tokens", "model_context_window_exceeded"];

function checkMessageDelta(state: ValidatorState, { delta, usage }: JsonObject): void {
  check(state, state.phase === "open" || state.phase === "delta", "message_delta before the start");
  check(state, !state.block, `message_delta while block ${state.block?.index} is open`);
  state.phase = "delta";
  const reason = objectOf(delta).stop_reason;
  check(state, typeof reason === "string", "message_delta has no stop_reason");
  check(state, typeof objectOf(usage).output_tokens === "number", "message_delta has no usage");
  check(
    state,
    !(state.calls && reason === "end_turn"),
    "stop_reason is end_turn although a tool is called",
  );
  if (limits.includes(reason)) return;
  for (const index of state.unreadable) {
    check(state, false, `the input of block ${index} is not JSON`);
  }
}

function checkError(state: ValidatorState, { type, message }: JsonObject): void {
  check(
    state,
    typeof type === "string" && typeof message === "string",
    "error has no type or no message",
  );
  state.phase = "ended";
}

function check(state: ValidatorState, holds: boolean, violation: string): void {
  if (!holds && state.violations.length < violationsMax) state.violations.push(violation);
}

function isReadable(json: string): boolean {
  try {
    parsedSimple(json);
    return true;
  } catch {
    return false;
  }
}

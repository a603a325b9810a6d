import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { positionText, textOf } from "../../../lib/formats/wire_value.ts";

/** An item that was added and is not finished. */
export interface OpenItem {
  readonly index: number;
  readonly type: string;
  /** Open pieces by `content:0` and `summary:0`, with the text so far. */
  readonly pieces: Map<string, string>;
  readonly counts: { content: number; summary: number };
  arguments: string;
}

export interface ValidatorState {
  readonly violations: string[];
  sequence: number;
  phase: "before" | "open" | "erred" | "ended";
  item?: OpenItem;
  items: number;
}

const violationsMax = 50;

type Rule = (state: ValidatorState, item: OpenItem, wire: JsonObject) => void;

export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
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
    assert(
      state,
      index === item.counts[kind],
      `${kind}_index ${positionText(index)}, not ${item.counts[kind]}`,
    );
    assert(
      state,
      item.pieces.size === 0,
      `a part of item ${item.index} opens while another is open`,
    );
    item.pieces.set(`${kind}:${positionText(index)}`, "");
    item.counts[kind]++;
  };
}

function closed(kind: PieceKind): Rule {
  return (state, item, wire) => {
    const index = wire[`${kind}_index`];
    assert(
      state,
      item.pieces.delete(`${kind}:${positionText(index)}`),
      `${kind} part ${positionText(index)} of item ${item.index} is done but not open`,
    );
  };
}

function delta(kind: PieceKind): Rule {
  return (state, item, wire) => {
    const key = `${kind}:${positionText(wire[`${kind}_index`])}`;
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
    const key = `${kind}:${positionText(wire[`${kind}_index`])}`;
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

export function isCall(type: string): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

export function assert(state: ValidatorState, holds: boolean, violation: string): void {
  if (!holds && state.violations.length < violationsMax) state.violations.push(violation);
}

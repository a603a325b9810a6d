import { callerToolName, type ToolCallPart } from "../../canonical/mod.ts";
import type { EncoderContext } from "../codec.ts";
import { unwrapped } from "../request/free_text_tool.ts";
import { format } from "./native.ts";

/** Returns true if the caller declared its tools with the deprecated `functions`. */
export function wantsFunctionCall({ request }: EncoderContext): boolean {
  return request.spelling?.format === format && request.spelling.fields.functions === true;
}

/** Translates an upstream's calls into calls of the caller's tools. */
export interface CallerCalls {
  /** Renames the call to the caller's tool. */
  named(call: ToolCallPart): ToolCallPart;
  /** Returns true if a renamed call is of a custom tool that was sent upstream as a function with one text. */
  isEmulated(call: ToolCallPart): boolean;
  /** Completes a renamed call once its arguments are complete; unwraps the text of an emulated custom tool. */
  whole(call: ToolCallPart): ToolCallPart;
}

export function callerCalls({ request: { tools } }: EncoderContext): CallerCalls {
  const nameOf = callerToolName(tools);
  const custom = new Set(tools.flatMap((tool) => tool.type === "custom" ? [tool.name] : []));
  const isEmulated = (call: ToolCallPart) => call.kind === "function" && custom.has(call.name);
  return {
    named: (call) => ({ ...call, name: nameOf(call.name) }),
    isEmulated,
    whole: (call) =>
      isEmulated(call) ? { ...call, kind: "custom", arguments: unwrapped(call.arguments) } : call,
  };
}

import { callerToolName, type ToolCallPart } from "../../canonical/mod.ts";
import type { EncoderContext } from "../codec.ts";
import { unwrapped } from "../request/free_text_tool.ts";
import { format } from "./native.ts";

/** Whether the caller declared its tools by the deprecated `functions`. */
export function wantsFunctionCall({ request }: EncoderContext): boolean {
  return request.spelling?.format === format && request.spelling.fields.functions === true;
}

/** Turns an upstream's calls into those of the tools that the caller declared. */
export interface CallerCalls {
  /** The call by the name of the caller's tool. */
  named(call: ToolCallPart): ToolCallPart;
  /** Whether a named call is one of a custom tool that the upstream knew as a function of one text. */
  isEmulated(call: ToolCallPart): boolean;
  /** A named call whose arguments are whole; the text of an emulated custom tool comes out of its wrapping. */
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

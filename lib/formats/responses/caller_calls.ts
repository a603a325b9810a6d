import { calledTool, type Tool, type ToolCallPart } from "../../canonical/mod.ts";

/** The identity of a call for the caller. */
export interface CallIdentity {
  readonly name: string;
  readonly namespace?: string;
  readonly kind: ToolCallPart["kind"];
  /** True if the free text of a custom tool arrived as a function's arguments. */
  readonly wrapped: boolean;
}

/** Restores the caller's own names, namespaces and kinds of tools. */
export function callerCalls(tools: readonly Tool[]): (call: ToolCallPart) => CallIdentity {
  const called = calledTool(tools);
  return (call) => {
    const tool = call.namespace === undefined ? called(call.name) : undefined;
    const namespace = tool?.namespace ?? call.namespace;
    const kind = tool?.type ?? call.kind;
    return {
      name: tool?.name ?? call.name,
      ...(namespace !== undefined && { namespace }),
      kind: call.kind === "custom" ? "custom" : kind,
      wrapped: call.kind === "function" && kind === "custom",
    };
  };
}

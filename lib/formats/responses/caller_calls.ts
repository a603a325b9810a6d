import { calledTool, type Tool, type ToolCallPart } from "../../canonical/mod.ts";

/** What a call is towards the caller. */
export interface CallIdentity {
  readonly name: string;
  readonly namespace?: string;
  readonly kind: ToolCallPart["kind"];
  /** The free text of a custom tool came wrapped as the arguments of a function. */
  readonly wrapped: boolean;
}

/** Gives calls back the names, namespaces and kinds of the tools that the caller declared. */
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

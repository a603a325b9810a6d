import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolChoice,
  toolNamed,
} from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { objectOf, objectsOf, statesOnly, textOf } from "../wire_value.ts";
import { wireCallOf } from "./calls.ts";
import { format, mark, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";
import { usesFunctions } from "./tools.ts";

/** `tool_choice`, or the deprecated `function_call` of a request with `functions`. */
export function decodeToolChoice(body: JsonObject): { toolChoice?: ToolChoice } {
  if (!usesFunctions(body)) return decodeChoice(body.tool_choice);
  const { function_call: call } = body;
  return isJsonObject(call)
    ? { toolChoice: { type: "tool", name: textOf(call.name), kind: "function" } }
    : decodeChoice(call);
}

/** The choice and the parallel switch, which the vendor refuses in a request without tools. */
export function encodeToolChoice(
  request: CanonicalRequest,
  declared: JsonObject,
  context: RequestContext,
): JsonObject {
  const { parallelToolCalls } = request;
  assertNotHosted(request, declared);
  const toolChoice = request.toolChoice?.type === "hosted" ? undefined : request.toolChoice;
  if (declared.functions !== undefined) return functionCall(toolChoice);
  if (declared.tools === undefined && !context.own) {
    if (toolChoice && isBinding(toolChoice)) context.notes.add("toolChoice");
    return {};
  }
  return {
    ...(toolChoice && { tool_choice: encodeChoice(toolChoice, request, context) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

function decodeChoice(wire: JsonValue | undefined): { toolChoice?: ToolChoice } {
  if (wire === "auto" || wire === "none") return { toolChoice: { type: wire } };
  if (wire === "required") return { toolChoice: { type: "any" } };
  if (!isJsonObject(wire)) return {};
  switch (isKnownChoice(wire) ? wire.type : undefined) {
    case "function":
    case "custom": {
      const kind = wire.type === "custom" ? "custom" : "function";
      return { toolChoice: { type: "tool", name: textOf(objectOf(wire[kind]).name), kind } };
    }
    case "allowed_tools":
      return { toolChoice: decodeAllowed(objectOf(wire.allowed_tools)) };
    default:
      return { toolChoice: { type: "native", format, value: wire } };
  }
}

/** True if the canonical form of the choice has all of it: another vendor must not get half of it. */
function isKnownChoice(wire: JsonObject): boolean {
  const type = textOf(wire.type);
  return statesOnly(wire, ["type", type]) &&
    statesOnly(objectOf(wire[type]), type === "allowed_tools" ? ["mode", "tools"] : ["name"]);
}

function decodeAllowed(allowed: JsonObject): ToolChoice {
  const names = objectsOf(allowed.tools).flatMap((tool) => {
    const name = textOf(wireCallOf(tool)?.name) || textOf(tool.name);
    return name === "" ? [] : [name];
  });
  const mode = allowed.mode === "required" ? "any" : "auto";
  return { type: "allowed", mode, names, ...mark({ tools: allowed.tools }) };
}

/** A hosted tool is never named in `tool_choice`: search models search for every answer. */
type SaidChoice = Exclude<ToolChoice, { type: "hosted" }>;

function encodeChoice(
  choice: SaidChoice,
  request: CanonicalRequest,
  context: RequestContext,
): JsonValue {
  switch (choice.type) {
    case "auto":
    case "none":
      return choice.type;
    case "any":
      return "required";
    case "tool":
      return reference(toolNamed(request.tools)(choice.name), choice.kind, context);
    case "allowed":
      return encodeAllowed(choice, request, context);
    case "native":
      return choice.value;
    default:
      return choice satisfies never;
  }
}

function encodeAllowed(
  choice: Extract<ToolChoice, { type: "allowed" }>,
  request: CanonicalRequest,
  context: RequestContext,
): JsonObject {
  const { mode, names } = choice;
  const tools = ownFields(choice)?.tools ?? references(names, request, context);
  return {
    type: "allowed_tools",
    allowed_tools: { mode: mode === "any" ? "required" : "auto", tools },
  };
}

function references(
  names: readonly string[],
  { tools }: CanonicalRequest,
  context: RequestContext,
): JsonObject[] {
  const custom = new Set(
    tools.flatMap((tool) => tool.type === "custom" ? [tool.name] : []),
  );
  const named = toolNamed(tools);
  return names.map((name) =>
    reference(named(name), custom.has(name) ? "custom" : "function", context)
  );
}

function reference(
  tool: ReturnType<ReturnType<typeof toolNamed>>,
  kind: "function" | "custom",
  context: RequestContext,
): JsonObject {
  return { type: kind, [kind]: { name: sentToolName(tool, context) } };
}

function functionCall(choice: ToolChoice | undefined): JsonObject {
  if (choice?.type === "tool") return { function_call: { name: choice.name } };
  return choice?.type === "auto" || choice?.type === "none" ? { function_call: choice.type } : {};
}

function isBinding({ type }: ToolChoice): boolean {
  return type !== "auto" && type !== "none";
}

/** A forced tool is essential to the caller: if only another vendor runs it, the request is refused. */
function assertNotHosted(
  { toolChoice: choice, model }: CanonicalRequest,
  declared: JsonObject,
): void {
  const searches = choice?.type === "hosted" && choice.kind === "web-search" &&
    declared.web_search_options !== undefined;
  const isForeign = choice?.type === "native" && choice.format !== format;
  if (searches || (!isForeign && choice?.type !== "hosted")) return;
  throw unsupported("toolChoice", `forces a tool that model '${model}' does not support`);
}

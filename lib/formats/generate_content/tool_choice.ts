import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Tool,
  type ToolChoice,
  toolNamed,
} from "../../canonical/mod.ts";
import { isEmpty, objectOf, restOf, textOf, textsOf } from "../wire_value.ts";
import { format, mark, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";
import { isFunction, refusedChoice } from "./tools.ts";

/** Members of `functionCallingConfig` with a canonical home. */
const canonicalMembers = ["mode", "allowedFunctionNames"];

export function decodeToolChoice(config: JsonValue | undefined): { toolChoice?: ToolChoice } {
  const calling = objectOf(objectOf(config).functionCallingConfig);
  const mode = textOf(calling.mode).toUpperCase();
  const names = textsOf(calling.allowedFunctionNames);
  if (mode === "" && names.length === 0) return {};
  return { toolChoice: decodeMode(mode, names) };
}

/** Members of `toolConfig` without a canonical field. */
export function toolConfigRest(config: JsonValue | undefined): JsonObject {
  if (!isJsonObject(config)) return {};
  const calling = restOf(objectOf(config.functionCallingConfig), canonicalMembers);
  const rest = {
    ...restOf(config, ["functionCallingConfig"]),
    ...(!isEmpty(calling) && { functionCallingConfig: calling }),
  };
  return isEmpty(rest) ? {} : { toolConfig: rest };
}

export function encodeToolConfig(
  request: CanonicalRequest,
  context: RequestContext,
): { toolConfig?: JsonObject } {
  const kept = objectOf(ownFields(request)?.toolConfig);
  const functions = request.tools.filter(isFunction);
  const hosted = !context.own && functions.length > 0 && mixes(request.tools, context);
  const validates = hosted || functions.length > 0 && functions.every(isStrict);
  const calling = context.own || functions.length > 0
    ? encodeChoice(request, validates && !context.own)
    : {};
  if (!context.own) noteForce(request, functions.length > 0, context);
  if (!context.own && (calling.mode ?? "AUTO") === "AUTO") noteLoose(request, context);
  const functionCallingConfig = { ...objectOf(kept.functionCallingConfig), ...calling };
  const config = {
    ...kept,
    ...(!isEmpty(functionCallingConfig) && { functionCallingConfig }),
    ...(hosted && { includeServerSideToolInvocations: true }),
  };
  return isEmpty(config) ? {} : { toolConfig: config };
}

/** Makes the functions strict: mode `VALIDATED` applies to all of them at once. */
export function validated(tools: readonly Tool[], config: JsonValue | undefined): readonly Tool[] {
  const { mode } = objectOf(objectOf(config).functionCallingConfig);
  if (textOf(mode).toUpperCase() !== "VALIDATED") return tools;
  return tools.map((tool) => tool.type === "function" ? { ...tool, strict: true } : tool);
}

function isStrict(tool: Tool): boolean {
  return tool.type === "function" && tool.strict === true;
}

/** Notes that only functions can be forced; throws if the forced tool itself cannot be sent. */
function noteForce(
  { tools, toolChoice: choice }: CanonicalRequest,
  hasFunctions: boolean,
  { notes, traits }: RequestContext,
): void {
  if (choice?.type === "hosted") {
    const isDeclared = tools.some((tool) => tool.type === "hosted" && tool.kind === choice.kind);
    if (!isDeclared || (hasFunctions && !traits.mixesTools)) throw refusedChoice();
    notes.add("hostedChoice");
  } else if (!hasFunctions && choice && choice.type !== "auto" && choice.type !== "none") {
    notes.add("hostedChoice");
  }
}

/** Notes strict functions that are sent in mode `AUTO`: only the other modes enforce the schemas. */
function noteLoose({ tools }: CanonicalRequest, { notes }: RequestContext): void {
  for (const [index, tool] of tools.entries()) {
    if (isStrict(tool)) notes.add("toolStrict", `tools[${index}].strict`);
  }
}

/** Returns true if hosted tools are combined with functions, which the vendor accepts in mode `VALIDATED` only. */
function mixes(tools: readonly Tool[], { traits }: RequestContext): boolean {
  return traits.signed && tools.some((tool) => tool.type === "hosted");
}

function decodeMode(mode: string, names: readonly string[]): ToolChoice {
  switch (mode) {
    case "AUTO":
    case "MODE_UNSPECIFIED":
    case "":
      return names.length === 0
        ? { type: "auto" }
        : { type: "allowed", mode: "auto", names, ...mark({ mode: "AUTO" }) };
    case "NONE":
      return { type: "none" };
    case "ANY":
      if (names.length === 0) return { type: "any" };
      return names.length === 1
        ? { type: "tool", name: names[0], kind: "function" }
        : { type: "allowed", mode: "any", names };
    case "VALIDATED":
      return names.length === 0
        ? { type: "auto", ...mark({ mode }) }
        : { type: "allowed", mode: "auto", names };
    default:
      return {
        type: "native",
        format,
        value: { mode, ...(names.length > 0 && { allowedFunctionNames: names }) },
      };
  }
}

function encodeChoice({ toolChoice, tools }: CanonicalRequest, validates: boolean): JsonObject {
  const wireNames = (names: readonly string[]) =>
    names.map(toolNamed(tools)).map((tool) => sentToolName(tool));
  const auto = validates ? "VALIDATED" : "AUTO";
  switch (toolChoice?.type) {
    case undefined:
    case "hosted":
      return validates ? { mode: auto } : {};
    case "auto":
      return { mode: auto, ...ownFields(toolChoice) };
    case "any":
      return { mode: "ANY" };
    case "none":
      return { mode: "NONE" };
    case "tool":
      return { mode: "ANY", allowedFunctionNames: wireNames([toolChoice.name]) };
    case "allowed":
      return {
        mode: toolChoice.mode === "any" ? "ANY" : "VALIDATED",
        allowedFunctionNames: wireNames(toolChoice.names),
        ...ownFields(toolChoice),
      };
    case "native":
      if (toolChoice.format === format) return objectOf(toolChoice.value);
      throw refusedChoice();
    default:
      return toolChoice satisfies never;
  }
}

import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolChoice,
  toolNamed,
} from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { objectOf, objectsOf, restOf, saysNothing, textOf, textOrNothing } from "../wire_value.ts";
import { hostedKindOf, hostedTypes } from "./vendor_tools.ts";
import { format, mark, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";

/** `tool_choice`, including the setting for parallel calls. */
export function decodeToolChoice(
  value: unknown,
  tools: unknown,
): { toolChoice?: ToolChoice; parallelToolCalls?: boolean } {
  if (!isJsonObject(value)) return {};
  const { disable_parallel_tool_use: disabled } = value;
  return {
    toolChoice: decodeChoice(value, tools),
    ...(typeof disabled === "boolean" && { parallelToolCalls: !disabled }),
  };
}

/** Throws for a choice that only another format can express: the caller forces a tool with it. */
export function encodeToolChoice(
  request: CanonicalRequest,
  hasTools: boolean,
  context: RequestContext,
): { tool_choice?: JsonObject } {
  const { toolChoice: choice, parallelToolCalls: parallel } = request;
  if (!hasTools && !context.own) {
    if (choice && choice.type !== "auto" && choice.type !== "none") {
      context.notes.add("toolChoiceEmpty");
    }
    return {};
  }
  const encoded = choice && fitted(encodeChoice(choice, request, context), context);
  return withParallel(encoded, parallel, context);
}

function decodeChoice(value: JsonObject, tools: unknown): ToolChoice {
  const { type } = value;
  switch (type) {
    case "auto":
    case "any":
    case "none":
      return { type };
    case "tool": {
      const name = textOrNothing(value.name);
      if (name !== undefined && saysNothing(choiceRest(value))) {
        const chosen = objectsOf(tools).find((tool) => tool.name === name);
        const kind = hostedKindOf(textOf(chosen?.type));
        if (kind) return { type: "hosted", kind, ...mark({ name }) };
        return { type, name, kind: "function" };
      }
    }
  }
  return {
    type: "native",
    format,
    value: restOf(value, ["disable_parallel_tool_use"]),
  };
}

/** Members of a choice without a canonical field. */
export function choiceRest(choice: JsonValue | undefined): JsonObject {
  return restOf(objectOf(choice), ["type", "name", "disable_parallel_tool_use"]);
}

function encodeChoice(
  choice: ToolChoice,
  request: CanonicalRequest,
  context: RequestContext,
): JsonObject {
  switch (choice.type) {
    case "auto":
    case "any":
    case "none":
      return { ...objectOf(ownFields(request)?.tool_choice), type: choice.type };
    case "allowed":
      return { type: choice.mode };
    case "tool":
      return { type: "tool", name: sentToolName(toolNamed(request.tools)(choice.name), context) };
    case "hosted":
      return { type: "tool", name: hostedTypes[choice.kind].name, ...ownFields(choice) };
    case "native":
      if (choice.format === format && isJsonObject(choice.value)) return choice.value;
      throw unsupported("toolChoice", "has no equivalent in the messages format");
    default:
      return choice satisfies never;
  }
}

/** Returns true if the model must call a tool. */
export function forcesTool(
  { toolChoice: choice, tools }: Pick<CanonicalRequest, "toolChoice" | "tools">,
): boolean {
  if (!choice || tools.length === 0) return false;
  return forces(choice.type === "allowed" ? choice.mode : choice.type);
}

function forces(type: JsonValue | undefined): boolean {
  return type === "any" || type === "tool";
}

/** Some models refuse a forced tool. */
function fitted(choice: JsonObject, { own, notes, traits }: RequestContext): JsonObject {
  if (own || !forces(choice.type) || traits.forcedTools) return choice;
  notes.add("toolForced");
  return { type: "auto" };
}

function withParallel(
  choice: JsonObject | undefined,
  parallel: boolean | undefined,
  { own }: RequestContext,
): { tool_choice?: JsonObject } {
  if (parallel === undefined || (parallel && !own) || (choice?.type === "none" && !own)) {
    return choice ? { tool_choice: choice } : {};
  }
  return { tool_choice: { type: "auto", ...choice, disable_parallel_tool_use: !parallel } };
}

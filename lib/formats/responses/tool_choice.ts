import {
  GatewayError,
  type HostedTool,
  isJsonObject,
  type JsonObject,
  type ToolChoice,
} from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { objectsOf, saysNothing, textOrNothing } from "../wire_value.ts";
import { hostedKindOf } from "./tools.ts";
import { format, mark, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";

/** `tool_choice`; forms that only this format has stay unchanged. */
export function decodeToolChoice(value: unknown): { toolChoice?: ToolChoice } {
  if (value === "auto" || value === "none") return { toolChoice: { type: value } };
  if (value === "required") return { toolChoice: { type: "any" } };
  if (!isJsonObject(value)) return {};
  const keys = Object.values(value).filter((member) => !saysNothing(member)).length;
  const name = textOrNothing(value.name);
  if ((value.type === "function" || value.type === "custom") && name !== undefined && keys === 2) {
    return { toolChoice: { type: "tool", name, kind: value.type } };
  }
  const kind = keys === 1 ? hostedKindOf(value.type) : undefined;
  if (kind) return { toolChoice: { type: "hosted", kind, ...mark(value) } };
  return {
    toolChoice: value.type === "allowed_tools" && keys === 3
      ? decodeAllowed(value)
      : { type: "native", format, value },
  };
}

/** Throws for a choice that only another format can express: the caller forces a tool with it. */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  context: RequestContext,
): { tool_choice?: string | JsonObject } {
  if (!choice) return {};
  switch (choice.type) {
    case "auto":
    case "none":
      return { tool_choice: choice.type };
    case "any":
      return { tool_choice: "required" };
    case "tool":
      return { tool_choice: { type: choice.kind, name: sentToolName(choice, context) } };
    case "allowed":
      return { tool_choice: encodeAllowed(choice, context) };
    case "hosted":
      return { tool_choice: ownFields(choice) ?? encodeHosted(choice.kind) };
    case "native":
      if (choice.format === format && isJsonObject(choice.value)) {
        return { tool_choice: choice.value };
      }
      throw refusedChoice();
    default:
      return choice satisfies never;
  }
}

function encodeHosted(kind: HostedTool["kind"]): JsonObject {
  switch (kind) {
    case "web-search":
      return { type: "web_search" };
    case "code-execution":
      return { type: "code_interpreter" };
    case "url-fetch":
      throw refusedChoice();
    default:
      return kind satisfies never;
  }
}

function refusedChoice(): GatewayError {
  return unsupported("toolChoice", "has no equivalent in the responses format");
}

/** Returns true if the caller forces a tool, so that a dropped choice loses something. */
export function isForcing(choice: ToolChoice | undefined): boolean {
  return choice !== undefined && choice.type !== "auto" && choice.type !== "none";
}

type Allowed = Extract<ToolChoice, { type: "allowed" }>;

function decodeAllowed(value: JsonObject): ToolChoice {
  const tools = objectsOf(value.tools);
  const plain = tools.every((tool) => tool.type === "function" && Object.keys(tool).length === 2);
  return {
    type: "allowed",
    mode: value.mode === "required" ? "any" : "auto",
    names: tools.flatMap(({ name }) => typeof name === "string" ? [name] : []),
    ...(!plain && mark({ tools })),
  };
}

function encodeAllowed(choice: Allowed, context: RequestContext): JsonObject {
  return {
    type: "allowed_tools",
    mode: choice.mode === "any" ? "required" : "auto",
    tools: ownFields(choice)?.tools ??
      choice.names.map((name) => ({ type: "function", name: sentToolName({ name }, context) })),
  };
}

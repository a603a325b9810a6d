import { createHash } from "node:crypto";
import {
  type CanonicalRequest,
  type CustomTool,
  type FunctionTool,
  isJsonObject,
  type PartPatch,
  type ReasoningPart,
  type TextPart,
  type ToolCallPart,
  type ToolChoice,
  type ToolResultPart,
} from "../../canonical/mod.ts";
import { instanceOf } from "./instance.ts";
import type { CallLine, Prompt } from "./prompt.ts";

/** A part before it is streamed: its start, its text and its final patch. */
export interface Draft {
  readonly part: TextPart | ReasoningPart | ToolCallPart;
  readonly text: string;
  readonly patch?: PartPatch;
}

interface DraftedCalls {
  readonly calls: readonly Draft[];
  readonly refusals: readonly string[];
}

type CallableTool = FunctionTool | CustomTool;

interface PlannedCall {
  readonly tool: CallableTool;
  readonly input: string;
}

/** The calls that the prompt requests, or the one that the caller forces. */
export function draftCalls(request: CanonicalRequest, prompt: Prompt, seed: string): DraftedCalls {
  if (request.toolChoice?.type === "none") return { calls: [], refusals: [] };
  const tools = offeredTools(request);
  const planned = prompt.calls.map((line) => planCall(line, tools));
  const asked = planned.filter((call) => typeof call !== "string");
  const calls = asked.length > 0 ? asked : forcedCalls(request, prompt, tools);
  return {
    calls: calls.slice(0, callsMax(request)).map((call, index) =>
      draftOf(call, `${seed}.${index}`)
    ),
    refusals: planned.filter((call) => typeof call === "string"),
  };
}

/** The callable tools that the caller's tool choice permits. */
function offeredTools({ tools, toolChoice }: CanonicalRequest): readonly CallableTool[] {
  const callable = tools.filter((tool) => tool.type === "function" || tool.type === "custom");
  const names = namesOf(toolChoice);
  return names ? callable.filter(({ name }) => names.includes(name)) : callable;
}

function namesOf(choice: ToolChoice | undefined): readonly string[] | undefined {
  if (choice?.type === "tool") return [choice.name];
  return choice?.type === "allowed" ? choice.names : undefined;
}

/** The call that a line requests, or the reason why it cannot be made. */
function planCall({ name, input }: CallLine, tools: readonly CallableTool[]): PlannedCall | string {
  const tool = tools.find((tool) =>
    tool.name === name || `${tool.namespace}.${tool.name}` === name
  );
  if (!tool) return notOffered(name, tools);
  if (tool.type === "custom") return { tool, input: freeText(input) };
  const text = input.trim() === "" ? "{}" : input.trim();
  return isJsonObject(parsed(text))
    ? { tool, input: text }
    : `I cannot call ${name}: its arguments are not a JSON object.`;
}

function notOffered(name: string, tools: readonly CallableTool[]): string {
  const names = tools.map((tool) => tool.name).join(", ");
  return `I cannot call ${name}: it was not offered. Offered tools: ${names || "none"}.`;
}

/** The input verbatim, or the decoded text if it is a JSON string. */
function freeText(input: string): string {
  const value = input.startsWith('"') ? parsed(input) : undefined;
  return typeof value === "string" ? value : input;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function forcedCalls(
  { toolChoice }: CanonicalRequest,
  prompt: Prompt,
  [tool]: readonly CallableTool[],
): readonly PlannedCall[] {
  if (!tool || !isForced(toolChoice, prompt.results)) return [];
  if (tool.type === "custom") return [{ tool, input: prompt.text }];
  return [{ tool, input: JSON.stringify(argumentsOf(tool)) }];
}

/** Returns true if a call is forced and has no result yet. */
function isForced(choice: ToolChoice | undefined, results: readonly ToolResultPart[]): boolean {
  switch (choice?.type) {
    case "any":
      return results.length === 0;
    case "allowed":
      return choice.mode === "any" && results.length === 0;
    case "tool":
      return !results.some((result) => result.name === choice.name);
    default:
      return false;
  }
}

function argumentsOf({ parameters }: FunctionTool) {
  const value = instanceOf(parameters ?? {});
  return isJsonObject(value) ? value : {};
}

function callsMax({ parallelToolCalls, limits }: CanonicalRequest): number {
  const limit = Math.max(0, limits.maxToolCalls ?? Infinity);
  return parallelToolCalls === false ? Math.min(1, limit) : limit;
}

function draftOf({ tool, input }: PlannedCall, seed: string): Draft {
  const id = `call_${createHash("sha256").update(seed).digest("hex").slice(0, 24)}`;
  const { type: kind, name, namespace } = tool;
  const part = { type: "tool-call", id, name, arguments: "", kind } as const;
  return { part: namespace === undefined ? part : { ...part, namespace }, text: input };
}

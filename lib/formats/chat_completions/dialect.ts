import {
  type CanonicalRequest,
  type CustomTool,
  type FunctionTool,
  type JsonObject,
  type Part,
  safeToolCallId,
  type Tool,
  type ToolCallPart,
  type ToolChoice,
  type ToolResultPart,
} from "../../canonical/mod.ts";
import { takesMember } from "../codec.ts";
import { descriptionInstruction } from "../request/schemas.ts";
import { functionOf } from "../request/tools.ts";
import type { RequestContext } from "./request_context.ts";

/** Reduces a request to the features of the server's dialect. A request written in this format stays unchanged. */
export function fittedToDialect(
  request: CanonicalRequest,
  context: RequestContext,
): CanonicalRequest {
  const { dialect, own } = context;
  if (!dialect || own) return request;
  const instructions = request.instructions.map((part) => fittedPart(part, context));
  return {
    ...request,
    instructions,
    ...fittedOutput({ ...request, instructions }, context),
    turns: request.turns.map((turn) => ({
      ...turn,
      parts: turn.parts.map((part) => fittedPart(part, context)),
    })),
    ...(dialect.customTools === false && {
      tools: request.tools.map((tool, index) => fittedTool(tool, `tools[${index}]`, context)),
      ...(request.toolChoice && { toolChoice: fittedChoice(request.toolChoice) }),
    }),
  };
}

/** The body with the server's own member names, without members that it refuses. */
export function inDialect(body: JsonObject, { dialect, own, notes }: RequestContext): JsonObject {
  if (!dialect || own) return body;
  const entries = Object.entries(body).flatMap(([name, value]) => {
    const sent = dialect.renames?.[name] ?? name;
    if (takesMember(dialect, sent)) return [[sent, value] as const];
    const path = pathOf.get(name);
    if (path !== undefined && value !== undefined) notes.add("refusedMember", path);
    return [];
  });
  return Object.fromEntries(entries);
}

/** Members whose loss changes the answer or its recipient, with their paths in notes. */
const pathOf: ReadonlyMap<string, string> = new Map([
  ["frequency_penalty", "sampling.frequencyPenalty"],
  ["logit_bias", "sampling.logitBias"],
  ["logprobs", "sampling.logprobs"],
  ["max_completion_tokens", "limits.maxOutputTokens"],
  ["metadata", "metadata"],
  ["n", "sampling.alternatives"],
  ["parallel_tool_calls", "parallelToolCalls"],
  ["presence_penalty", "sampling.presencePenalty"],
  ["reasoning_effort", "reasoning"],
  ["response_format", "output"],
  ["safety_identifier", "endUser"],
  ["seed", "sampling.seed"],
  ["service_tier", "serviceTier"],
  ["stop", "sampling.stopSequences"],
  ["store", "store"],
  ["temperature", "sampling.temperature"],
  ["top_logprobs", "sampling.topLogprobs"],
  ["top_p", "sampling.topP"],
  ["verbosity", "verbosity"],
  ["web_search_options", "tools"],
]);

/** Replaces a schema with plain JSON mode and an instruction that states the schema. */
function fittedOutput(
  { output, instructions }: CanonicalRequest,
  { dialect, notes }: RequestContext,
): Pick<CanonicalRequest, "output" | "instructions"> | undefined {
  if (output?.type !== "schema" || dialect?.outputSchemas !== false) return undefined;
  notes.add("outputSchema");
  const schema = `Respond with JSON that meets this schema: ${JSON.stringify(output.schema)}`;
  const description = descriptionInstruction(output);
  const added = description === undefined ? [schema] : [schema, description];
  return {
    output: { type: "json" },
    instructions: [...instructions, ...added.map((text) => ({ type: "text", text }) as const)],
  };
}

function fittedPart<P extends Part>(part: P, context: RequestContext): P {
  const marked = withoutMark(part, context);
  const fit = marked.type === "tool-call"
    ? fittedCall(marked, context)
    : marked.type === "tool-result"
    ? fittedResult(marked, context)
    : marked;
  return fit as P; // sound: each function returns a part of the type that it gets
}

function withoutMark(part: Part, { dialect, notes }: RequestContext): Part {
  if (dialect?.cacheBreakpoints !== false || part.type === "native" || !part.cache) return part;
  notes.once("cacheMark");
  const { cache: _, ...rest } = part;
  return rest;
}

function fittedCall(part: ToolCallPart, { dialect }: RequestContext): ToolCallPart {
  const isText = part.kind === "custom" && dialect?.customTools === false;
  return {
    ...part,
    id: fittedId(part.id, dialect),
    ...(isText && { kind: "function", arguments: JSON.stringify({ input: part.arguments }) }),
  };
}

function fittedResult(part: ToolResultPart, context: RequestContext): ToolResultPart {
  const { dialect } = context;
  return {
    ...part,
    callId: fittedId(part.callId, dialect),
    ...(dialect?.customTools === false && { kind: "function" }),
    parts: part.parts.map((inner) => fittedPart(inner, context)),
  };
}

function fittedId(id: string, dialect: RequestContext["dialect"]): string {
  return dialect?.callIds ? safeToolCallId(id, dialect.callIds) : id;
}

function fittedTool(tool: Tool, path: string, { notes }: RequestContext): Tool {
  if (tool.type !== "custom") return tool;
  notes.add("toolCustom", path);
  return functionTool(tool);
}

function functionTool(tool: CustomTool): FunctionTool {
  const { grammar: _, ...rest } = tool;
  return { ...rest, ...functionOf(tool), type: "function" };
}

function fittedChoice(choice: ToolChoice): ToolChoice {
  return choice.type === "tool" ? { ...choice, kind: "function" } : choice;
}

import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";
import { accumulated as accumulatedMessage } from "../messages/wire.ts";
import { accumulated as accumulatedResponse } from "../responses/wire.ts";

/** The facts on which a client acts, read from the wire of each format without its codec. */
export interface Facts {
  /** The calls that the caller must answer, each as one text. */
  readonly calls: readonly string[];
  /** The ending of each alternative. */
  readonly ends: readonly End[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type End = "whole" | "calls" | "cut" | "refused" | "paused";

/** Reads the facts of a whole answer, or of a stream's events. */
export const factsOf: Readonly<Record<FormatName, (wire: JsonValue) => Facts>> = {
  "chat-completions": completionFacts,
  responses: responseFacts,
  messages: messageFacts,
  "generate-content": contentFacts,
};

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function sum(...counts: readonly (JsonValue | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (Number(count) || 0), 0);
}

/** Name and arguments as text: some formats include the namespace in a name, and free text in a member. */
export function callText(name: string, args: JsonValue | undefined): string {
  return `${name.split("__").at(-1)} ${JSON.stringify(sorted(argumentsOf(args)))}`;
}

function argumentsOf(args: JsonValue | undefined): JsonValue {
  if (typeof args !== "string") return args ?? {};
  if (args === "") return {};
  try {
    const value: JsonValue = JSON.parse(args);
    return isJsonObject(value) ? value : { input: args };
  } catch {
    return { input: args };
  }
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) =>
    [key, sorted(inner ?? null)] as const
  );
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
}

function endOf(
  words: Readonly<Record<string, End>>,
  word: JsonValue | undefined,
  calls: boolean,
): End {
  const end = words[String(word)] ?? "whole";
  return end === "whole" && calls ? "calls" : end;
}

/** Refusal text ends an answer without another ending. */
function refusedOr(end: End, refused: boolean): End {
  return end === "whole" && refused ? "refused" : end;
}

interface Choice {
  readonly calls: Map<string, { name: string; text: string }>;
  reason?: JsonValue;
  refused: boolean;
}

function completionFacts(wire: JsonValue): Facts {
  const chunks = Array.isArray(wire) ? objects(wire) : objects([wire]);
  const choices = new Map<number, Choice>();
  for (const choice of chunks.flatMap(({ choices }) => objects(choices))) {
    addChoice(choices, choice);
  }
  const usage = objectOf(chunks.map(({ usage }) => usage).findLast(isJsonObject));
  const all = [...choices].sort(([a], [b]) => a - b).map(([, choice]) => choice);
  return {
    calls: all.flatMap(({ calls }) =>
      [...calls.values()].map(({ name, text }) => callText(name, text))
    ),
    ends: all.map(({ reason, refused, calls }) =>
      refusedOr(endOf(completionEnds, reason, calls.size > 0), refused)
    ),
    inputTokens: sum(usage.prompt_tokens),
    outputTokens: sum(usage.completion_tokens),
  };
}

const completionEnds = { length: "cut", content_filter: "refused" } as const;

function addChoice(choices: Map<number, Choice>, wire: JsonObject): void {
  const choice: Choice = choices.get(Number(wire.index)) ?? { calls: new Map(), refused: false };
  choices.set(Number(wire.index), choice);
  const message = objectOf(wire.message ?? wire.delta);
  const old: JsonObject[] = isJsonObject(message.function_call)
    ? [{ function: message.function_call }]
    : [];
  for (const [at, call] of [...objects(message.tool_calls), ...old].entries()) {
    const key = `${call.index ?? at}`;
    const { name, text } = choice.calls.get(key) ?? { name: "", text: "" };
    const called = objectOf(call.function ?? call.custom);
    choice.calls.set(key, {
      name: name || String(called.name ?? ""),
      text: text + (called.arguments ?? called.input ?? ""),
    });
  }
  choice.reason = wire.finish_reason ?? choice.reason ?? null;
  choice.refused ||= typeof message.refusal === "string" && message.refusal !== "";
}

function responseFacts(wire: JsonValue): Facts {
  const { output, status, incomplete_details, usage } = Array.isArray(wire)
    ? accumulatedResponse(objects(wire))
    : objectOf(wire);
  const items = objects(output);
  const calls = items.filter(({ type, name }) =>
    (type === "function_call" || type === "custom_tool_call") && name
  );
  const refused = items.flatMap(({ content }) => objects(content)).some(({ type }) =>
    type === "refusal"
  );
  const { reason } = objectOf(incomplete_details);
  const end = endOf(responseEnds, status === "incomplete" ? reason : status, calls.length > 0);
  const { input_tokens, output_tokens } = objectOf(usage);
  return {
    calls: calls.map(({ name, arguments: args, input }) => callText(String(name), input ?? args)),
    ends: [refusedOr(end, refused)],
    inputTokens: sum(input_tokens),
    outputTokens: sum(output_tokens),
  };
}

const responseEnds = { max_output_tokens: "cut", content_filter: "refused" } as const;

function messageFacts(wire: JsonValue): Facts {
  const message = Array.isArray(wire) ? accumulatedMessage(objects(wire)) : objectOf(wire);
  const calls = objects(message.content).filter(({ type }) => type === "tool_use");
  const usage = objectOf(message.usage);
  const samplings = objects(usage.iterations);
  const billed = samplings.length > 0 ? samplings : [usage];
  return {
    calls: calls.map(({ name, input }) => callText(String(name), input)),
    ends: [endOf(messageEnds, message.stop_reason, calls.length > 0)],
    inputTokens: sum(
      ...billed.flatMap((one) => [
        one.input_tokens,
        one.cache_creation_input_tokens,
        one.cache_read_input_tokens,
      ]),
    ),
    outputTokens: sum(...billed.map(({ output_tokens }) => output_tokens)),
  };
}

const messageEnds = {
  max_tokens: "cut",
  model_context_window_exceeded: "cut",
  refusal: "refused",
  pause_turn: "paused",
} as const;

function contentFacts(wire: JsonValue): Facts {
  const chunks = Array.isArray(wire) ? objects(wire) : objects([wire]);
  const candidates = Map.groupBy(
    chunks.flatMap(({ candidates }) => objects(candidates)),
    ({ index }) => Number(index ?? 0),
  );
  const all = [...candidates.values()].map((list) => ({
    calls: list.flatMap(({ content }) => objects(objectOf(content).parts))
      .map(({ functionCall }) => functionCall).filter(isJsonObject),
    reason: list.map(({ finishReason }) => finishReason).findLast((reason) => reason),
  }));
  const usage = objectOf(chunks.map(({ usageMetadata }) => usageMetadata).findLast(isJsonObject));
  return {
    calls: all.flatMap(({ calls }) => calls.map(({ name, args }) => callText(String(name), args))),
    ends: all.length === 0
      ? ["refused"]
      : all.map(({ reason, calls }) => endOf(contentEnds, reason, calls.length > 0)),
    inputTokens: sum(usage.promptTokenCount, usage.toolUsePromptTokenCount),
    outputTokens: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount),
  };
}

const contentEnds = {
  MAX_TOKENS: "cut",
  CONTINUATION: "cut",
  SAFETY: "refused",
  RECITATION: "refused",
  LANGUAGE: "refused",
  BLOCKLIST: "refused",
  PROHIBITED_CONTENT: "refused",
  SPII: "refused",
  IMAGE_SAFETY: "refused",
} as const;

import type { FormatName } from "../../../lib/canonical/mod.ts";

/** One call of a test, in any format. */
export interface Asked {
  readonly format: FormatName;
  readonly stream: boolean;
  readonly maxTokens?: number;
  readonly alternatives?: number;
  readonly thinkingTokens?: number;
  /** The number of copies of the history, each of some 20 KB. */
  readonly copies?: number;
}

const sentence = "The harbour was quiet when the boats came in, and nobody counted the crates. ";
/** A turn as long as those of agents. */
const historyText = sentence.repeat(270);

const parameters = {
  type: "object",
  properties: { path: { type: "string", description: "Where the file is" } },
  required: ["path"],
};

/** The address of a call, with its model's name where the format has it there. */
export function pathOf({ format, stream }: Asked, model = "paid"): string {
  switch (format) {
    case "chat-completions":
      return "/v1/chat/completions";
    case "responses":
      return "/v1/responses";
    case "messages":
      return "/v1/messages";
    case "generate-content":
      return `/v1beta/models/${model}:${
        stream ? "streamGenerateContent?alt=sse" : "generateContent"
      }`;
    default:
      return format satisfies never;
  }
}

/** A request with a history of some 20 KB and a tool, as its format writes it. */
export function requestOf(asked: Asked, model = "paid"): string {
  return JSON.stringify({ ...bodyOf(asked, model) }, undefined, 1);
}

function bodyOf(asked: Asked, model: string): object {
  const { format, stream, maxTokens, alternatives, thinkingTokens, copies = 1 } = asked;
  const past = Array.from({ length: copies }, () => [historyText, "I see."]).flat();
  const turns = [...past, "What was in the crates?"];
  const roles = turns.map((_, at) => at % 2 === 0 ? "user" : "assistant");
  switch (format) {
    case "chat-completions":
      return {
        model,
        messages: turns.map((content, at) => ({ role: roles[at], content })),
        tools: [{ type: "function", function: { name: "read", parameters } }],
        max_completion_tokens: maxTokens,
        n: alternatives,
        ...(thinkingTokens && { reasoning: { max_tokens: thinkingTokens } }),
        ...(stream && { stream, stream_options: { include_usage: true } }),
      };
    case "responses":
      return {
        model,
        input: turns.map((content, at) => ({ role: roles[at], content })),
        tools: [{ type: "function", name: "read", parameters, strict: false }],
        max_output_tokens: maxTokens,
        store: false,
        ...(stream && { stream }),
      };
    case "messages":
      return {
        model,
        messages: turns.map((content, at) => ({ role: roles[at], content })),
        tools: [{ name: "read", input_schema: parameters }],
        max_tokens: maxTokens,
        ...(thinkingTokens && { thinking: { type: "enabled", budget_tokens: thinkingTokens } }),
        ...(stream && { stream }),
      };
    case "generate-content":
      return {
        contents: turns.map((text, at) => ({
          role: at % 2 === 1 ? "model" : "user",
          parts: [{ text }],
        })),
        tools: [{ functionDeclarations: [{ name: "read", parameters }] }],
        generationConfig: {
          temperature: 1.0,
          maxOutputTokens: maxTokens,
          candidateCount: alternatives,
          ...(thinkingTokens && { thinkingConfig: { thinkingBudget: thinkingTokens } }),
        },
      };
    default:
      return format satisfies never;
  }
}

import type { FormatName } from "../../../lib/canonical/mod.ts";

/** The upstream that lists a model first, and the rates of the model in USD per million tokens. */
export interface TeamModel {
  readonly id: string;
  readonly upstreamId: string;
  /** Tried if the first upstream fails. */
  readonly fallbackId?: string;
  /** Absent: nobody has set a price. */
  readonly rates?: readonly [input: number, output: number];
}

type Row = readonly [id: string, input?: number, output?: number];

const listed: Readonly<Record<string, readonly Row[]>> = {
  openai: [
    ["gpt-5", 1.25, 10],
    ["gpt-5-mini", 0.25, 2],
    ["gpt-5-nano", 0.05, 0.4],
    ["gpt-5-codex", 1.25, 10],
    ["gpt-4.1", 2, 8],
    ["gpt-4.1-mini", 0.4, 1.6],
    ["o4-mini", 1.1, 4.4],
    ["text-embedding-3-large", 0.13, 0],
  ],
  anthropic: [
    ["claude-opus-4-5", 5, 25],
    ["claude-sonnet-4-5", 3, 15],
    ["claude-haiku-4-5", 1, 5],
    ["claude-sonnet-4-0", 3, 15],
  ],
  google: [
    ["gemini-3-pro-preview", 2, 12],
    ["gemini-2.5-pro", 1.25, 10],
    ["gemini-2.5-flash", 0.3, 2.5],
    ["gemini-2.5-flash-lite", 0.1, 0.4],
  ],
  "bedrock-frankfurt": [
    ["amazon-nova-premier", 2.5, 12.5],
    ["amazon-nova-lite", 0.06, 0.24],
  ],
  "openrouter-fallback-for-everything-else": [
    ["deepseek/deepseek-v3.2", 0.28, 0.42],
    ["moonshotai/kimi-k2-thinking", 0.6, 2.5],
    ["qwen/qwen3-coder-480b-a35b-instruct", 0.4, 1.6],
    ["z-ai/glm-4.6", 0.5, 1.75],
    ["x-ai/grok-4-fast", 0.2, 0.5],
    ["mistralai/mistral-large-2512", 0.5, 1.5],
    ["mistralai/codestral-2508", 0.3, 0.9],
    ["meta-llama/llama-4-maverick", 0.15, 0.6],
    ["cohere/command-a", 2.5, 10],
    ["minimax/minimax-m2", 0.3, 1.2],
    ["nvidia/llama-3.3-nemotron-super-49b-v1.5-instruct-preview-2026-11-01:free", 0, 0],
    ["google/gemma-3-27b-it", 0.1, 0.2],
  ],
  "gpu-cluster-frankfurt": [
    ["house-chat", 0.02, 0.06],
    ["house-embed", 0.01, 0],
    ["house-summaries-of-support-tickets-in-eleven-languages", 0.02, 0.06],
    ["house-vision"],
    ["house-draft"],
    ["house-rerank"],
    ["house-whisper"],
    ["house-experimental"],
  ],
  "azure-eu": [],
};

/** Upstreams that serve the models of others when these fail. */
const fallbacks: Readonly<Record<string, string>> = {
  "gpt-5": "azure-eu",
  "gpt-5-codex": "azure-eu",
  "gpt-4.1": "azure-eu",
  "claude-sonnet-4-5": "bedrock-frankfurt",
  "claude-haiku-4-5": "bedrock-frankfurt",
};

export const upstreamIds: readonly string[] = Object.keys(listed);

export const teamModels: readonly TeamModel[] = Object.entries(listed).flatMap(
  ([upstreamId, rows]) => rows.map((row) => modelOf(upstreamId, row)),
);

function modelOf(upstreamId: string, [id, input, output]: Row): TeamModel {
  return {
    id,
    upstreamId,
    ...(fallbacks[id] && { fallbackId: fallbacks[id] }),
    ...(input !== undefined && output !== undefined && { rates: [input, output] as const }),
  };
}

/** The models that an upstream lists, as a first one or as a fallback. */
export function modelsOf(upstreamId: string): readonly TeamModel[] {
  return teamModels.filter((model) =>
    model.upstreamId === upstreamId || model.fallbackId === upstreamId
  );
}

/** The format in which the vendor of a model is called. */
export function formatOf({ id }: Pick<TeamModel, "id">): FormatName {
  if (id.startsWith("claude-")) return "messages";
  return id.startsWith("gemini-") ? "generate-content" : "chat-completions";
}

import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { programCommand } from "../../../tools/sdks.ts";
import type { ProgramSetting } from "./program_client.ts";

/** An SDK of the wider ecosystem: which one, of what version, and what it cannot do. */
export interface ProgramRecord extends ProgramSetting {
  readonly name: string;
  readonly language: "TypeScript" | "Python";
  readonly packages: readonly string[];
  /** Scenarios that the SDK has no means for, with what it lacks; `NAME → FORMAT` for one upstream. */
  readonly lacks: Readonly<Record<string, string>>;
}

interface Means {
  readonly program: string;
  readonly variant: string;
  readonly packages: readonly string[];
  readonly lacks?: ProgramRecord["lacks"];
  readonly modelPrefix?: ProgramSetting["modelPrefix"];
}

function inTypeScript(name: string, format: FormatName, means: Means): ProgramRecord {
  const { program, variant, packages, lacks = {}, modelPrefix } = means;
  return {
    name,
    language: "TypeScript",
    format,
    packages,
    lacks,
    modelPrefix,
    ...programCommand(`${program}.ts`, variant),
  };
}

const reasoning = "reasoning whose proof comes home in the tool loop";
const foreignReasoning =
  "reasoning of another vendor stays away, and comes home when asked there again";
const forcedCalls = ["a forced call without arguments", "a forced call of a model that thinks"];
const usage = "usage, whole and streamed";
const failures = [400, 429, 500, 503].map((status) => `a failure with ${status}`);

function lacking(names: readonly string[], why: string): ProgramRecord["lacks"] {
  return Object.fromEntries(names.map((name) => [name, why]));
}

/** A scenario on every upstream but chat completions. */
function exceptChat(name: string): string[] {
  return formatNames.filter((format) => format !== "chat-completions")
    .map((format) => `${name} → ${format}`);
}

const aiSdk: Readonly<Record<string, Means>> = {
  "openai-chat": {
    program: "ai_sdk",
    variant: "openai-chat",
    packages: ["ai", "@ai-sdk/openai"],
    lacks: lacking(
      [reasoning, ...exceptChat(foreignReasoning)],
      "its chat model reads no reasoning",
    ),
  },
  "openai-responses": {
    program: "ai_sdk",
    variant: "openai-responses",
    packages: ["ai", "@ai-sdk/openai"],
    lacks: lacking(
      [`${reasoning} → chat-completions`],
      "it reads summaries of reasoning, not open reasoning",
    ),
  },
  anthropic: { program: "ai_sdk", variant: "anthropic", packages: ["ai", "@ai-sdk/anthropic"] },
  google: {
    program: "ai_sdk",
    variant: "google",
    packages: ["ai", "@ai-sdk/google"],
  },
  compatible: {
    program: "ai_sdk",
    variant: "compatible",
    packages: ["ai", "@ai-sdk/openai-compatible"],
  },
};

const langChain: Readonly<Record<string, Means>> = {
  "openai-chat": {
    program: "langchain",
    variant: "openai-chat",
    packages: ["@langchain/openai"],
    modelPrefix: "gpt-5.",
    lacks: lacking(
      [reasoning, ...exceptChat(foreignReasoning)],
      "its chat model reads no reasoning",
    ),
  },
  "openai-responses": {
    program: "langchain",
    variant: "openai-responses",
    packages: ["@langchain/openai"],
    modelPrefix: "gpt-5.",
    lacks: {
      ...lacking(
        [`${reasoning} → chat-completions`],
        "it reads summaries of reasoning, not open reasoning",
      ),
      ...lacking(forcedCalls, "it leaves out a tool_choice that is a word"),
    },
  },
  anthropic: {
    program: "langchain",
    variant: "anthropic",
    packages: ["@langchain/anthropic"],
    lacks: lacking([usage], "it tells no count of reasoning"),
  },
  google: {
    program: "langchain",
    variant: "google",
    packages: ["@langchain/google-genai"],
    modelPrefix: "gemini-2.5.",
    lacks: {
      ...lacking([reasoning], "it shows thoughts in no block of reasoning"),
      ...lacking(
        ["plain", "other"].map((use) =>
          `several turns with the results of calls, ${use} model → generate-content`
        ),
        "it sends results of calls at once as contents of their own, which this vendor refuses",
      ),
      ...lacking([usage], "its output leaves out what was thought"),
      ...lacking(failures, "its errors do not tell the call's id"),
    },
  },
};

const openaiAgents: Readonly<Record<string, Means>> = {
  chat: {
    program: "openai_agents",
    variant: "chat",
    packages: ["@openai/agents"],
    lacks: {
      ...lacking([reasoning], "in chat it reads `reasoning` alone"),
      ...lacking(
        [
          ...[
            "several turns with the results of calls, plain model",
            "several turns with the results of calls, other model",
            "an empty result",
            "a picture in a result",
            "the answer of a hosted web search with its citations",
            "a program that a hosted tool ran, with its output",
          ].map((name) => `${name} → chat-completions`),
          `${foreignReasoning} → messages`,
        ],
        "it repeats a message's members in its parts, which the strict vendor refuses untouched",
      ),
    },
  },
  responses: {
    program: "openai_agents",
    variant: "responses",
    packages: ["@openai/agents"],
    lacks: lacking(
      [`${reasoning} → chat-completions`],
      "it reads summaries of reasoning, not open reasoning",
    ),
  },
};

/** All programs; each contains its base URL. */
export const programs: readonly ProgramRecord[] = [
  inTypeScript("AI SDK, OpenAI chat", "chat-completions", aiSdk["openai-chat"]),
  inTypeScript("AI SDK, OpenAI", "responses", aiSdk["openai-responses"]),
  inTypeScript("AI SDK, Anthropic", "messages", aiSdk.anthropic),
  inTypeScript("AI SDK, Google", "generate-content", aiSdk.google),
  inTypeScript("AI SDK, compatible", "chat-completions", aiSdk.compatible),
  inTypeScript("LangChain, OpenAI chat", "chat-completions", langChain["openai-chat"]),
  inTypeScript("LangChain, OpenAI responses", "responses", langChain["openai-responses"]),
  inTypeScript("LangChain, Anthropic", "messages", langChain.anthropic),
  inTypeScript("LangChain, Google", "generate-content", langChain.google),
  inTypeScript("Agents SDK, chat", "chat-completions", openaiAgents.chat),
  inTypeScript("Agents SDK, responses", "responses", openaiAgents.responses),
];

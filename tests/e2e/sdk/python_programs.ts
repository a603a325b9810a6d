import type { FormatName } from "../../../lib/canonical/mod.ts";
import { pythonCommand } from "../../../tools/python.ts";
import type { ProgramRecord } from "./programs.ts";

interface Means {
  readonly program: string;
  readonly variant?: string;
  readonly sdk: string;
}

function inPython(name: string, format: FormatName, means: Means): ProgramRecord {
  const { program, variant = "", sdk } = means;
  return {
    name,
    language: "Python",
    format,
    packages: [sdk],
    lacks: {},
    ...pythonCommand(`${program}.py`, variant),
  };
}

/** The vendors' SDKs of Python. */
export const pythonPrograms: readonly ProgramRecord[] = [
  inPython("Python, OpenAI chat", "chat-completions", {
    program: "openai_sdk",
    variant: "chat",
    sdk: "openai",
  }),
  inPython("Python, OpenAI responses", "responses", {
    program: "openai_sdk",
    variant: "responses",
    sdk: "openai",
  }),
  inPython("Python, Anthropic", "messages", { program: "anthropic_sdk", sdk: "anthropic" }),
  inPython("Python, Google", "generate-content", { program: "google_sdk", sdk: "google-genai" }),
];

import type { FormatName } from "../../canonical/mod.ts";
import type { Arrival } from "../../store/api_keys/mod.ts";

/** Agents that are built for one format, by their `User-Agent`. */
const agents = [
  { client: "Codex", pattern: /^codex/i, format: "responses" },
  { client: "Claude Code", pattern: /^claude-cli/i, format: "messages" },
  { client: "Gemini CLI", pattern: /^GeminiCLI/i, format: "generate-content" },
] as const satisfies readonly {
  readonly client: string;
  readonly pattern: RegExp;
  readonly format: FormatName;
}[];

/** The agent that was forced to use another format than its own; undefined for other clients. */
export function forcedFormat(
  { userAgent = "", operation, format }: Pick<Arrival, "userAgent" | "operation" | "format">,
): { readonly client: string; readonly format: FormatName } | undefined {
  if (operation !== "generate") return undefined;
  return agents.find((agent) => agent.pattern.test(userAgent) && agent.format !== format);
}

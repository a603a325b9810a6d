/** Client programs by the start of their user agent, such as `claude-cli/2.0.1 (external, cli)`. */
const names = {
  "claude-cli": "Claude Code",
  "codex_cli_rs": "Codex",
  "codex-cli": "Codex",
  "geminicli": "Gemini CLI",
  "openai/python": "OpenAI Python",
  "openai/js": "OpenAI JS",
  "asyncopenai/python": "OpenAI Python",
  "anthropic/python": "Anthropic Python",
  "asyncanthropic/python": "Anthropic Python",
  "anthropic/js": "Anthropic JS",
  "google-genai-sdk": "Google GenAI",
} as const satisfies Record<string, string>;

const lengthMax = 40;

/** The client program and its version; for an unknown program, the first word of the header. */
export function clientName(userAgent: string | undefined): string | undefined {
  const text = userAgent?.trim();
  if (!text) return undefined;
  for (const [start, name] of Object.entries(names)) {
    if (!text.toLowerCase().startsWith(start)) continue;
    const version = /^[/ ]v?(\d[\w.]*)/.exec(text.slice(start.length))?.[1];
    return version ? `${name} ${version}` : name;
  }
  const [word, version] = text.split(" ", 1)[0].split("/");
  return [word, version].filter((part) => part).join(" ").slice(0, lengthMax);
}

import type { Cloud, Surface } from "../../store/catalog/mod.ts";

/** Beta features of Claude that AWS and Google both serve (2026-11). */
const common = [
  "compact-2026-01-12",
  "computer-use-*",
  "context-1m-*",
  "context-management-*",
  "dangerous-tool-use-*",
  "thinking-binding-controls-*",
  "thinking-display-updates-*",
  "tool-search-*",
];
const invoke = [
  ...common,
  "compact-2026-09-04",
  "effort-*",
  "fine-grained-tool-streaming-*",
  "mid-conversation-output-config-*",
  "mid-conversation-tool-changes-*",
];

/** The beta features that a surface is known to accept: it refuses a request with any other. */
const accepted: Readonly<Partial<Record<Surface, readonly string[]>>> = {
  bedrock: invoke,
  "bedrock-invoke": invoke,
  "bedrock-mantle": [
    ...common,
    "claude-code-*",
    "effort-*",
    "fine-grained-tool-streaming-*",
    "interleaved-thinking-*",
    "output-128k-*",
    "per-turn-control-*",
    "token-efficient-tools-*",
    "tool-examples-*",
    "web-search-*",
  ],
  vertex: [
    ...common,
    "compact-2026-09-04",
    "interleaved-thinking-*",
    "per-turn-control-*",
    "web-search-*",
  ],
};

/** Features that clouds know by another name. */
const renamed = new Map([["advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19"]]);

/** The beta features of an `anthropic-beta` header that a cloud accepts; all of them without a rule. */
export function acceptedBetas(
  { surface, betas: configured }: Pick<Cloud, "surface" | "betas">,
  header: string | undefined,
): readonly string[] {
  const asked = header?.split(",").map((name) => name.trim()).filter((name) => name !== "") ?? [];
  const known = configured ?? accepted[surface];
  if (known === undefined || asked.length === 0) return asked;
  const isKnown = (name: string) => known.some((pattern) => matches(pattern, name));
  const names = asked.map((name) => isKnown(name) ? name : renamed.get(name) ?? name);
  return [...new Set(names.filter(isKnown))];
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

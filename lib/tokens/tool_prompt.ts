import { isJsonObject, type JsonValue } from "../canonical/mod.ts";

/**
 * Tokens that a vendor adds for tools, and the same again for each hosted tool (messages, 2026-11:
 * 300 to 700 for either).
 */
const vendorPromptTokens = 700;

/** The most tokens that a vendor adds to a prompt with these tools. */
export function toolPromptTokens(tools: JsonValue | undefined): number {
  if (!Array.isArray(tools) || tools.length === 0) return 0;
  const hosted = tools.filter((tool) => isJsonObject(tool) && !Object.values(tool).some(isSchema));
  return vendorPromptTokens * (1 + hosted.length);
}

/** Any object nested in a tool describes it. */
function isSchema(member: JsonValue | undefined): boolean {
  return typeof member === "object" && member !== null && Object.keys(member).length > 0;
}

import type { CanonicalRequest, FormatName } from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";

/**
 * Throws `unsupported_parameter` if all tools belong to MCP servers, which upstreams of the format
 * cannot call.
 */
export function assertToolsBesideMcp({ tools }: CanonicalRequest, format: FormatName): void {
  const isMcp = tools.map((tool) => tool.type === "native" && tool.mcp !== undefined);
  if (!isMcp.includes(true) || isMcp.includes(false)) return;
  throw unsupported(
    "tools",
    `are all from MCP servers, which upstreams of the ${format} format cannot call. Choose a model with another upstream`,
  );
}

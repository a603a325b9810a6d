import type { CanonicalRequest, FormatName } from "../canonical/mod.ts";
import { unsupported } from "./error.ts";

/** Throws `unsupported_parameter` where nothing is left of a request's tools in a format whose upstreams call no MCP servers. */
export function assertToolsBesideMcp({ tools }: CanonicalRequest, format: FormatName): void {
  const isMcp = tools.map((tool) => tool.type === "native" && tool.mcp !== undefined);
  if (!isMcp.includes(true) || isMcp.includes(false)) return;
  throw unsupported(
    "tools",
    `are all of MCP servers, which upstreams of the ${format} format cannot call; choose a model that has another upstream`,
  );
}

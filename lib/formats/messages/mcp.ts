import type { JsonObject, McpServer, NativeTool, Tool } from "../../canonical/mod.ts";
import { isEmpty, listOf, objectOf, objectsOf, textOf, textsOf } from "../wire_value.ts";
import { decodeCache } from "./cache.ts";
import { format } from "./native.ts";

/**
 * MCP servers, whose tools the vendor calls: the request lists them in `mcp_servers`, and since
 * 2025-11 a toolset among the tools selects their tools.
 */

const mcpToolset = "mcp_toolset";

/** The tools of a request with their servers; servers without a toolset come last. */
export function withMcpServers(tools: readonly Tool[], servers: unknown): readonly Tool[] {
  if (listOf(servers).length === 0) return tools;
  const byName = new Map(objectsOf(servers).map((server) => [textOf(server.name), server]));
  const toolsets = new Set(tools.map((tool) => toolsetIn(tool)?.mcp_server_name));
  const alone = [...byName].filter(([name]) => !toolsets.has(name)).map(([, server]) => server);
  return [
    ...tools.map((tool) => withServer(tool, byName)),
    ...alone.filter((server) => objectOf(server.tool_configuration).enabled !== false)
      .map((server): NativeTool => ({
        type: "native",
        format,
        value: null,
        ...serverOf(server, {}),
      })),
  ];
}

/** Returns true if a tool represents a server that the request names in `mcp_servers`. */
export function isServerAlone(tool: Tool): boolean {
  return tool.type === "native" && tool.format === format && tool.value === null;
}

function toolsetIn(tool: Tool): JsonObject | undefined {
  if (tool.type !== "native") return undefined;
  const value = objectOf(tool.value);
  return value.type === mcpToolset ? value : undefined;
}

function withServer(tool: Tool, byName: ReadonlyMap<string, JsonObject>): Tool {
  const toolset = toolsetIn(tool);
  const server = toolset && byName.get(textOf(toolset.mcp_server_name));
  if (!server || tool.type !== "native") return tool;
  return { ...tool, ...serverOf(server, toolset), ...decodeCache(toolset.cache_control) };
}

/** The server in canonical form; empty if it does not say which of its tools are offered. */
function serverOf(server: JsonObject, toolset: JsonObject): { mcp?: McpServer } {
  const name = textOf(server.name);
  const url = textOf(server.url);
  const offered = offeredTools(server, toolset);
  if (name === "" || url === "" || offered === "unknown") return {};
  const token = textOf(server.authorization_token);
  return {
    mcp: { name, url, ...(token && { token }), ...(offered && { allowedTools: offered }) },
  };
}

/** The names of the offered tools; undefined for all of them. */
function offeredTools(
  server: JsonObject,
  toolset: JsonObject,
): readonly string[] | undefined | "unknown" {
  const { allowed_tools: allowed } = objectOf(server.tool_configuration);
  const configs = Object.entries(objectOf(toolset.configs));
  const enabled = (config: unknown) => objectOf(config).enabled;
  const listed = objectsOf(toolset.tools).map(({ name }) => textOf(name));
  if (enabled(toolset.default_config) === false) {
    return configs.filter(([, config]) => enabled(config) === true).map(([name]) => name);
  }
  const off = configs.filter(([, config]) => enabled(config) === false).map(([name]) => name);
  const known = Array.isArray(allowed) ? textsOf(allowed) : listed.length > 0 ? listed : undefined;
  if (known) return known.filter((name) => !off.includes(name));
  return isEmpty(off) ? undefined : "unknown";
}

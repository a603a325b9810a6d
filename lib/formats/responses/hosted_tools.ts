import type { HostedTool, JsonObject, McpServer } from "../../canonical/mod.ts";
import { ownSettings } from "../request/hosted_settings.ts";
import { decodeUserLocation, isWholeLocation } from "../request/user_location.ts";
import { defined, isEmpty, listOf, objectOf, restOf } from "../wire_value.ts";
import { mark } from "./native.ts";
import type { RequestContext } from "./request_context.ts";

/** The kind of a hosted tool by its wire type; undefined for any other. */
export function hostedKindOf(type: unknown): HostedTool["kind"] | undefined {
  switch (type) {
    case "web_search":
    case "web_search_2025_08_26":
    case "web_search_preview":
    case "web_search_preview_2025_03_11":
      return "web-search";
    case "code_interpreter":
      return "code-execution";
  }
}

export function decodeWebSearch(tool: JsonObject): HostedTool {
  const domains = listOf(objectOf(tool.filters).allowed_domains)
    .filter((domain) => typeof domain === "string");
  const size = (["low", "medium", "high"] as const).find((name) =>
    name === tool.search_context_size
  );
  const isByDomain = isEmpty(restOf(objectOf(tool.filters), ["allowed_domains"]));
  return {
    type: "hosted",
    kind: "web-search",
    ...(domains.length > 0 && { allowedDomains: domains }),
    ...(size && { searchContextSize: size }),
    ...decodeUserLocation(objectOf(tool.user_location)),
    ...ownSettings(tool, [
      ...(size ? ["search_context_size"] : []),
      ...(isWholeLocation(objectOf(tool.user_location)) ? ["user_location"] : []),
      ...(isByDomain ? ["filters"] : []),
      ...(tool.external_web_access === true ? ["external_web_access"] : []),
    ]),
    ...mark(tool),
  };
}

/** A code interpreter. An empty, automatically created container counts as the default. */
export function decodeProgram(tool: JsonObject, kind: HostedTool["kind"]): HostedTool {
  const container = objectOf(tool.container);
  const isOwn = container.type === "auto" && isEmpty(restOf(container, ["type"]));
  return { type: "hosted", kind, ...ownSettings(tool, isOwn ? ["container"] : []), ...mark(tool) };
}

/** Never requires approval, as in the format from which the server comes. */
export function encodeMcp({ name, url, token, allowedTools }: McpServer): JsonObject {
  return defined({
    type: "mcp",
    server_label: name,
    server_url: url,
    authorization: token,
    allowed_tools: allowedTools,
    require_approval: "never",
  });
}

export function encodeHosted(
  tool: HostedTool,
  path: string,
  context: RequestContext,
): JsonObject | undefined {
  context.notes.settings(tool, path);
  if (tool.maxUses !== undefined) context.notes.add("maxUses", `${path}.maxUses`);
  switch (tool.kind) {
    case "web-search":
      if (tool.blockedDomains?.length) {
        context.notes.add("blockedDomains", `${path}.blockedDomains`);
      }
      return encodeWebSearch(tool);
    case "code-execution":
      return { type: "code_interpreter", container: { type: "auto" } };
    case "url-fetch":
      context.notes.add("urlFetch", path);
      return undefined;
    default:
      return tool.kind satisfies never;
  }
}

function encodeWebSearch(
  { allowedDomains, searchContextSize, userLocation }: HostedTool,
): JsonObject {
  return {
    type: "web_search",
    ...(allowedDomains?.length && { filters: { allowed_domains: allowedDomains } }),
    ...(searchContextSize && { search_context_size: searchContextSize }),
    ...(userLocation && { user_location: { type: "approximate", ...userLocation } }),
  };
}

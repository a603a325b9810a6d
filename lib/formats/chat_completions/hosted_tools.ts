import type { HostedTool, JsonObject, UserLocation } from "../../canonical/mod.ts";
import { ownSettings } from "../request/hosted_settings.ts";
import { decodeUserLocation, isWholeLocation } from "../request/user_location.ts";
import { defined, objectOf, statesOnly } from "../wire_value.ts";
import { mark, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";

export function decodeSearch(wire: JsonObject): HostedTool {
  const size = (["low", "medium", "high"] as const).find((name) =>
    name === wire.search_context_size
  );
  const place = objectOf(wire.user_location);
  const isWhole = statesOnly(place, ["type", "approximate"]) &&
    isWholeLocation(objectOf(place.approximate));
  return {
    type: "hosted",
    kind: "web-search",
    ...(size && { searchContextSize: size }),
    ...decodeUserLocation(objectOf(place.approximate)),
    ...ownSettings(wire, [
      ...(size ? ["search_context_size"] : []),
      ...(isWhole ? ["user_location"] : []),
    ]),
    ...mark(wire),
  };
}

/**
 * Only search models accept `web_search_options`; others refuse it (2026-11-21), so it is left out
 * for coding agents that always declare a search tool.
 */
const searchModel = /search|sonar/i;

export function encodeHosted(
  tool: HostedTool,
  path: string,
  model: string,
  { notes }: RequestContext,
): JsonObject[] {
  const own = ownFields(tool);
  if (own) return [own];
  if (tool.kind !== "web-search") notes.add("hostedTool", path);
  else if (!searchModel.test(model)) notes.add("webSearch", path);
  if (tool.kind !== "web-search" || !searchModel.test(model)) return [];
  notes.settings(tool, path);
  if (tool.allowedDomains?.length) notes.add("searchDomains", `${path}.allowedDomains`);
  if (tool.blockedDomains?.length) notes.add("searchDomains", `${path}.blockedDomains`);
  if (tool.maxUses !== undefined) notes.add("searchUses", `${path}.maxUses`);
  return [{
    ...(tool.searchContextSize && { search_context_size: tool.searchContextSize }),
    ...(tool.userLocation && { user_location: encodeLocation(tool.userLocation) }),
  }];
}

function encodeLocation({ city, region, country, timezone }: UserLocation): JsonObject {
  return { type: "approximate", approximate: defined({ city, region, country, timezone }) };
}

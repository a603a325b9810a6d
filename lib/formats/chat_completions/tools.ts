import {
  type CanonicalRequest,
  type CustomTool,
  distinctTools,
  type FunctionTool,
  type HostedTool,
  isJsonObject,
  type JsonObject,
  type Tool,
  translateSchema,
  type UserLocation,
  wholeVocabulary,
} from "../../canonical/mod.ts";
import { meetsStrictRules, noParameters } from "../request/schemas.ts";
import { decodeUserLocation, isWholeLocation, ownSettings } from "../request/tools.ts";
import {
  defined,
  flagOrNothing,
  isEmpty,
  listOf,
  noMembers,
  objectOf,
  objectsOf,
  statesOnly,
  textOf,
  textOrNothing,
} from "../wire_value.ts";
import { cacheMembers, decodeCache } from "./cache.ts";
import { extraMembers, format, keep, mark, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";

const functionMembers = new Set(["name", "description", "parameters", "strict"]);

const customMembers = new Set(["name", "description", "format"]);

/** `tools`, else the deprecated `functions`; and `web_search_options`. */
export function decodeTools(body: JsonObject): Tool[] {
  const tools = objectsOf(body.tools).map(decodeTool);
  const functions = usesFunctions(body)
    ? objectsOf(body.functions).map((declared) => decodeFunction({ function: declared }))
    : [];
  const search = body.web_search_options;
  return [...tools, ...functions, ...(isJsonObject(search) ? [decodeSearch(search)] : [])];
}

/** Returns true if a request declares its tools with the deprecated `functions`. */
export function usesFunctions({ tools, functions }: JsonObject): boolean {
  return listOf(tools).length === 0 && listOf(functions).length > 0;
}

/** `tools`, or `functions` for a caller that uses them; and `web_search_options`. */
export function encodeTools(request: CanonicalRequest, context: RequestContext): JsonObject {
  if (request.tools.length === 0) return noMembers;
  const search: JsonObject[] = [];
  const declared = context.own ? request.tools : distinctTools(request.tools);
  const tools = declared.flatMap((tool, index) => {
    const path = `tools[${index}]`;
    if (tool.type !== "hosted") return encodeTool(tool, path, context);
    search.push(...encodeHosted(tool, path, request.model, context));
    return [];
  });
  const isDeprecated = request.spelling?.format === format &&
    request.spelling.fields.functions === true;
  return {
    ...(tools.length > 0 &&
      (isDeprecated ? { functions: tools.map((tool) => objectOf(tool.function)) } : { tools })),
    ...(search.length > 0 && { web_search_options: search[0] }),
  };
}

function decodeTool(wire: JsonObject): Tool {
  if (wire.type === "function") return decodeFunction(wire);
  if (wire.type === "custom") return decodeCustom(wire);
  return { type: "native", format, value: wire };
}

function decodeFunction(wire: JsonObject): FunctionTool {
  const declared = objectOf(wire.function);
  const description = textOrNothing(declared.description);
  const strict = flagOrNothing(declared.strict);
  return {
    type: "function",
    name: textOf(declared.name),
    ...(description !== undefined && { description }),
    ...(isJsonObject(declared.parameters) && { parameters: declared.parameters }),
    ...(strict !== undefined && { strict }),
    ...decodeCache(wire),
    ...keep(nativeMembers(wire, "function", extraMembers(declared, functionMembers))),
  };
}

function decodeCustom(wire: JsonObject): CustomTool {
  const declared = objectOf(wire.custom);
  const description = textOrNothing(declared.description);
  const format = objectOf(declared.format);
  const { type, grammar } = format;
  const { syntax, definition } = objectOf(grammar);
  const isGrammar = type === "grammar" && (syntax === "lark" || syntax === "regex");
  const rest = extraMembers(declared, customMembers);
  const isKnown = isGrammar
    ? statesOnly(format, ["type", "grammar"]) &&
      statesOnly(objectOf(grammar), ["syntax", "definition"])
    : type === "text" && statesOnly(format, ["type"]);
  const isForeign = isJsonObject(declared.format) && !isKnown;
  return {
    type: "custom",
    name: textOf(declared.name),
    ...(description !== undefined && { description }),
    ...(isGrammar && { grammar: { syntax, definition: textOf(definition) } }),
    ...decodeCache(wire),
    ...keep(
      nativeMembers(wire, "custom", isForeign ? { ...rest, format } : rest),
    ),
  };
}

/** Native members of the tool and of its declaration. */
function nativeMembers(wire: JsonObject, member: string, inner: JsonObject): JsonObject {
  return {
    ...extraMembers(wire, new Set(["type", member, ...cacheMembers])),
    ...(!isEmpty(inner) && { [member]: inner }),
  };
}

function encodeTool(
  tool: Exclude<Tool, HostedTool>,
  path: string,
  context: RequestContext,
): JsonObject[] {
  if (tool.type === "native") {
    if (tool.format === format && isJsonObject(tool.value)) return [tool.value];
    context.notes.add("toolNative", path);
    return [];
  }
  context.notes.foreign(tool.native, `${path}.native`);
  const own = tool.cache && ownFields(tool.cache);
  if (tool.cache && !own) context.notes.add("toolCache", `${path}.cache`);
  const declaration = tool.type === "function"
    ? encodeFunction(tool, path, context)
    : encodeCustom(tool, path, context);
  const { [tool.type]: inner, ...beside } = ownFields(tool) ?? {};
  return [{
    ...beside,
    ...own,
    type: tool.type,
    [tool.type]: { ...objectOf(inner), ...declaration },
  }];
}

function encodeFunction(tool: FunctionTool, path: string, context: RequestContext): JsonObject {
  const given = tool.parameters ?? (tool.strict && !context.own ? noParameters : undefined);
  const parameters = encodeParameters(given, `${path}.parameters`, context);
  const strict = context.own || !tool.strict || meetsStrictRules(parameters ?? {});
  if (!strict) context.notes.add("toolStrict", `${path}.strict`);
  return defined({
    name: encodeName(tool, path, context),
    description: tool.description,
    parameters,
    strict: strict ? tool.strict : undefined,
  });
}

function encodeParameters(
  schema: JsonObject | undefined,
  path: string,
  { own, notes }: RequestContext,
): JsonObject | undefined {
  if (own || schema === undefined) return schema;
  const translated = translateSchema(schema, wholeVocabulary, path);
  notes.addAll(translated.notes);
  return translated.schema;
}

function encodeCustom(tool: CustomTool, path: string, context: RequestContext): JsonObject {
  const { grammar } = tool;
  return defined({
    name: encodeName(tool, path, context),
    description: tool.description,
    format: objectOf(ownFields(tool)?.custom).format ??
      (grammar && {
        type: "grammar",
        grammar: { syntax: grammar.syntax, definition: grammar.definition },
      }),
  });
}

function encodeName(
  tool: FunctionTool | CustomTool,
  path: string,
  context: RequestContext,
): string {
  const name = sentToolName(tool, context);
  if (tool.namespace !== undefined) context.notes.add("toolNamespace", `${path}.namespace`);
  else if (name !== tool.name) context.notes.add("toolName", `${path}.name`);
  return name;
}

function decodeSearch(wire: JsonObject): HostedTool {
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

function encodeHosted(
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

import type { HostedTool, JsonObject } from "../../canonical/mod.ts";
import { decodeUserLocation, isWholeLocation, ownSettings } from "../request/tools.ts";
import { objectOf, restOf, textsOf } from "../wire_value.ts";
import { decodeCache } from "./cache.ts";
import { mark } from "./native.ts";
import type { RequestContext } from "./request_context.ts";

/** The kind of a hosted tool by its wire type; undefined for any other. */
export function hostedKindOf(type: string): HostedTool["kind"] | undefined {
  return hostedKinds.find(({ types }) => types.test(type))?.kind;
}

const hostedKinds: readonly { readonly types: RegExp; readonly kind: HostedTool["kind"] }[] = [
  { types: /^web_search_\d{8}$/, kind: "web-search" },
  { types: /^web_fetch_\d{8}$/, kind: "url-fetch" },
  { types: /^code_execution_\d{8}$/, kind: "code-execution" },
];

/** The versions of hosted tools that every current model accepts. */
export const hostedTypes = {
  "web-search": { type: "web_search_20250305", name: "web_search" },
  "url-fetch": { type: "web_fetch_20250910", name: "web_fetch" },
  "code-execution": { type: "code_execution_20250825", name: "code_execution" },
} as const satisfies Record<HostedTool["kind"], JsonObject>;

export function decodeHosted(tool: JsonObject, kind: HostedTool["kind"]): HostedTool {
  const { max_uses: maxUses } = tool;
  const allowed = textsOf(tool.allowed_domains);
  const blocked = textsOf(tool.blocked_domains);
  return {
    type: "hosted",
    kind,
    ...(allowed.length > 0 && { allowedDomains: allowed }),
    ...(blocked.length > 0 && { blockedDomains: blocked }),
    ...decodeUserLocation(objectOf(tool.user_location)),
    ...(typeof maxUses === "number" && { maxUses }),
    ...decodeCache(tool.cache_control),
    ...ownSettings(tool, [
      "max_uses",
      "allowed_domains",
      "blocked_domains",
      ...(isWholeLocation(objectOf(tool.user_location)) ? ["user_location"] : []),
    ]),
    ...mark(restOf(tool, ["cache_control"])),
  };
}

export function encodeHosted(
  tool: HostedTool,
  path: string,
  { notes }: RequestContext,
): JsonObject {
  const { kind, allowedDomains, blockedDomains, userLocation, maxUses } = tool;
  notes.settings(tool, path);
  if (tool.searchContextSize !== undefined) {
    notes.add("searchContextSize", `${path}.searchContextSize`);
  }
  const both = allowedDomains?.length && blockedDomains?.length;
  if (both) notes.add("toolDomains", `${path}.blockedDomains`);
  if (kind === "code-execution") return hostedTypes[kind];
  return {
    ...hostedTypes[kind],
    ...(maxUses !== undefined && { max_uses: maxUses }),
    ...(allowedDomains?.length && { allowed_domains: allowedDomains }),
    ...(blockedDomains?.length && !both && { blocked_domains: blockedDomains }),
    ...(userLocation && kind === "web-search" &&
      { user_location: { type: "approximate", ...userLocation } }),
  };
}

/** The description of a tool that the vendor defines and the caller runs. */
interface ClientTool {
  readonly description: string;
  readonly parameters: JsonObject;
}

/** The description of a tool by its type, such as `bash_20250124`; undefined for unknown types. */
export function clientToolOf(type: string): ClientTool | undefined {
  const found = clientTools.find(({ types }) => types.test(type));
  return found && { description: found.description, parameters: found.parameters };
}

const text = { type: "string" };
const lines = { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 };

const edits = {
  path: { ...text, description: "Absolute path of the file or folder" },
  file_text: { ...text, description: "Content of the file, for create" },
  old_str: { ...text, description: "Text to replace, which must occur exactly once" },
  new_str: { ...text, description: "Text to put in its place, or to insert" },
  insert_line: { type: "integer", description: "Line after which to insert" },
  insert_text: { ...text, description: "Text to insert" },
  view_range: { ...lines, description: "First and last line to view; -1 for the end" },
};

/** Inputs of these tools, as the vendor documents them. */
const clientTools: readonly (ClientTool & { readonly types: RegExp })[] = [
  {
    types: /^bash_\d{8}$/,
    description: "Runs a command in a persistent bash session",
    parameters: {
      type: "object",
      properties: {
        command: { ...text, description: "The command to run" },
        restart: { type: "boolean", description: "Restarts the session instead" },
      },
    },
  },
  {
    types: /^text_editor_\d{8}$/,
    description: "Views, creates and edits text files",
    parameters: {
      type: "object",
      properties: {
        command: { ...text, enum: ["view", "create", "str_replace", "insert", "undo_edit"] },
        ...edits,
      },
      required: ["command", "path"],
    },
  },
  {
    types: /^memory_\d{8}$/,
    description: "Reads and writes files of a memory that lasts between conversations",
    parameters: {
      type: "object",
      properties: {
        command: {
          ...text,
          enum: ["view", "create", "str_replace", "insert", "delete", "rename"],
        },
        ...edits,
        old_path: { ...text, description: "Path to rename" },
        new_path: { ...text, description: "Its new path" },
      },
      required: ["command"],
    },
  },
];

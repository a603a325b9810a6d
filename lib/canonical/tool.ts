import type { JsonObject, JsonValue } from "../json/mod.ts";
import type { CacheMark } from "./content.ts";
import type { FormatName, NativeFields } from "./format.ts";

export type Tool = FunctionTool | CustomTool | HostedTool | NativeTool;

interface ToolBase {
  readonly cache?: CacheMark;
  /** The namespace of the tool (responses); calls come back with the same namespace. */
  readonly namespace?: string;
  readonly native?: NativeFields;
}

export interface FunctionTool extends ToolBase {
  readonly type: "function";
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; absent if the tool has none. */
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
}

/** A tool with free text as input, optionally restricted by a grammar. */
export interface CustomTool extends ToolBase {
  readonly type: "custom";
  readonly name: string;
  readonly description?: string;
  readonly grammar?: { readonly syntax: "lark" | "regex"; readonly definition: string };
}

/** A tool that the vendor runs itself. `native` holds the original wire form. */
export interface HostedTool extends ToolBase {
  readonly type: "hosted";
  readonly kind: "web-search" | "code-execution" | "url-fetch";
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly userLocation?: UserLocation;
  readonly searchContextSize?: "low" | "medium" | "high";
  readonly maxUses?: number;
  /** Names of native settings, such as `timeRangeFilter`. */
  readonly ownSettings?: readonly string[];
  readonly native: NativeFields;
}

/** A tool that only its own format has. */
export interface NativeTool {
  readonly type: "native";
  readonly format: FormatName;
  readonly value: JsonValue;
  /** The MCP server of its tools, for formats that support such servers. */
  readonly mcp?: McpServer;
  readonly cache?: CacheMark;
}

/** An MCP server whose tools the vendor itself calls. */
export interface McpServer {
  readonly name: string;
  readonly url: string;
  /** The caller's secret for that server. */
  readonly token?: string;
  /** Names of the offered tools; absent: all of them. */
  readonly allowedTools?: readonly string[];
}

export interface UserLocation {
  readonly city?: string;
  readonly region?: string;
  readonly country?: string;
  readonly timezone?: string;
}

export type ToolChoice =
  | { readonly type: "auto"; readonly native?: NativeFields }
  | { readonly type: "any"; readonly native?: NativeFields }
  | { readonly type: "none"; readonly native?: NativeFields }
  | { readonly type: "tool"; readonly name: string; readonly kind: "function" | "custom" }
  | {
    readonly type: "hosted";
    readonly kind: HostedTool["kind"];
    readonly native?: NativeFields;
  }
  | {
    readonly type: "allowed";
    readonly mode: "auto" | "any";
    readonly names: readonly string[];
    readonly native?: NativeFields;
  }
  | { readonly type: "native"; readonly format: FormatName; readonly value: JsonValue };

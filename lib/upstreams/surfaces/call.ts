import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Note,
} from "../../canonical/mod.ts";
import type { MemberChanges } from "../../formats/state_codec.ts";
import type { WireRequest } from "../../formats/wire.ts";
import type { Cloud } from "../../store/catalog/mod.ts";
import { claudeChanges, claudeRules } from "./claude.ts";
import { hasDeployments } from "./mod.ts";

/** A call as its surface wants it. */
export interface SurfaceCall {
  readonly path: string;
  readonly headers: WireRequest["headers"];
  readonly members: MemberChanges;
  /** Losses and changes that the surface causes. */
  readonly notes: readonly Note[];
}

/** The parts of a call that depend on its surface. `model` is the name there. */
export function surfaceCall(
  cloud: Cloud,
  { format, model, wire }: {
    readonly format: FormatName;
    readonly model: string;
    readonly wire: Pick<WireRequest, "path" | "headers" | "body">;
  },
): SurfaceCall {
  const { path, headers, body } = wire;
  switch (format) {
    case "messages": {
      const name = claudeRules[cloud.surface]?.path?.(segmentOf(model), body.stream === true);
      return { path: name ?? path, ...claudeChanges(cloud, wire, model) };
    }
    case "chat-completions":
      return { path: openAiPath(cloud, { path, model }), headers, members: {}, notes: [] };
    case "responses": {
      const members = cloud.surface === "azure-openai" ? inputWithTypes(body) : {};
      return { path: openAiPath(cloud, { path, model }), headers, members, notes: [] };
    }
    case "generate-content":
      return { path, headers, members: contentsWithRoles(body), notes: [] };
    default:
      return format satisfies never;
  }
}

/** The body with changes; what is undefined is left out. */
export function changedBody(body: JsonObject, changes: MemberChanges): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries({ ...body, ...changes })) {
    if (value !== undefined) made[name] = value;
  }
  return made;
}

/** A model's name as one segment of a path; Google keeps the `@` before a version. */
function segmentOf(model: string): string {
  return encodeURIComponent(model).replaceAll("%40", "@");
}

/** Models that Mantle serves below another path than all others (2026-11). */
const newer = /^(openai\.gpt-[5-9]|google\.gemma-[4-9])/;

function openAiPath(
  cloud: Cloud,
  { path, model }: { readonly path: string; readonly model: string },
): string {
  if (cloud.surface === "bedrock-mantle") return `${newer.test(model) ? "/openai" : ""}/v1${path}`;
  if (cloud.surface !== "azure-openai" || cloud.apiVersion === undefined) return path;
  const version = `?api-version=${encodeURIComponent(cloud.apiVersion)}`;
  if (!hasDeployments(cloud) || path.startsWith("/responses")) return path + version;
  return `/deployments/${encodeURIComponent(model)}${path}${version}`;
}

/** Addresses of Azure's projects refuse a message without its type, which OpenAI does without. */
function inputWithTypes({ input }: JsonObject): MemberChanges {
  const lacks = ({ type, role }: JsonObject) => type === undefined && role !== undefined;
  const items = completed(input, lacks, { type: "message" });
  return items ? { input: items } : {};
}

/** Vertex AI refuses a turn without a role, which the vendor's other API takes for the user's. */
function contentsWithRoles({ contents }: JsonObject): MemberChanges {
  const turns = completed(contents, ({ role }) => role === undefined, { role: "user" });
  return turns ? { contents: turns } : {};
}

/** The list with a member in each object that lacks it; undefined if none does. */
function completed(
  list: JsonValue | undefined,
  lacks: (one: JsonObject) => boolean,
  member: JsonObject,
): JsonValue[] | undefined {
  if (!Array.isArray(list) || !list.some((one) => isJsonObject(one) && lacks(one))) {
    return undefined;
  }
  return list.map((one) => isJsonObject(one) && lacks(one) ? { ...member, ...one } : one);
}

import {
  dropped,
  emulated,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Note,
} from "../../canonical/mod.ts";
import type { MemberChanges } from "../../formats/state_codec.ts";
import type { WireRequest } from "../../formats/wire.ts";
import type { Cloud, Surface } from "../../store/catalog/mod.ts";
import { acceptedBetas } from "./betas.ts";
import { tierHeader } from "./table.ts";

/** The differences of a surface from the messages format of the vendor. */
interface ClaudeRules {
  /** The path of a call to a model that it names; absent: the vendor's own. */
  readonly path?: (name: string, streams: boolean) => string;
  /** `anthropic_version` in the body. */
  readonly version?: string;
  /** Members that are left out because the path says them. */
  readonly inPath?: readonly string[];
  /** True if beta features are in the body instead of a header. */
  readonly betasInBody?: true;
  /** Members that it refuses, and without which an answer means the same. */
  readonly refuses?: readonly string[];
  /** True if breakpoints of the prompt cache must be set one by one, and have no scope. */
  readonly plainCaching?: true;
  /** The models that take a schema for the answer and strict tools; absent: all. */
  readonly schemas?: RegExp;
  /** The values of its header for `service_tier`, by the word in the body. */
  readonly tiers?: ReadonlyMap<unknown, string>;
  /** True if it refuses `eager_input_streaming` of tools. */
  readonly lazyTools?: true;
}

const beside = ["fallbacks", "speed", "tags", "thread"];
const invokeTiers = new Map([
  ["standard_only", "default"],
  ...["default", "flex", "priority", "reserved"].map((tier) => [tier, tier] as const),
]);
const onBedrock = { refuses: beside, plainCaching: true } as const;

/** The differences of Claude on each surface from the vendor's own API (2026-11-29). */
export const claudeRules: Readonly<Partial<Record<Surface, ClaudeRules>>> = {
  bedrock: onBedrock,
  "bedrock-mantle": { ...onBedrock, schemas: /$^/ },
  "bedrock-invoke": {
    path: (name, streams) => `/model/${name}/${streams ? "invoke-with-response-stream" : "invoke"}`,
    version: "bedrock-2023-05-31",
    inPath: ["model", "stream"],
    betasInBody: true,
    refuses: [...beside, "service_tier"],
    tiers: invokeTiers,
    plainCaching: true,
    schemas: /opus-4-[78]|opus-5|fable-5|sonnet-5/,
    lazyTools: true,
  },
  vertex: {
    path: (name, streams) => `/models/${name}:${streams ? "streamRawPredict" : "rawPredict"}`,
    version: "vertex-2023-10-16",
    inPath: ["model"],
    refuses: beside,
    plainCaching: true,
  },
  foundry: { refuses: ["fallbacks"] },
};

const notes = {
  betas: dropped("betas", "The cloud does not know some of these beta features"),
  member: (name: string) => dropped(name, "The cloud refuses this member"),
  strict: dropped("tools[i].strict", "The cloud does not enforce schemas of tools for this model"),
  format: dropped("outputFormat", "The cloud does not enforce schemas of answers for this model"),
  cache: emulated("cacheControl", "The cloud caches at breakpoints only: one ends the prompt"),
} as const;

/** The changes of a call in the messages format for a surface. */
interface ClaudeChanges {
  readonly headers: WireRequest["headers"];
  readonly members: MemberChanges;
  readonly notes: readonly Note[];
}

export function claudeChanges(
  cloud: Cloud,
  { headers, body }: Pick<WireRequest, "headers" | "body">,
  model: string,
): ClaudeChanges {
  const rules = claudeRules[cloud.surface] ?? {};
  const { "anthropic-beta": header, [tierHeader]: _, ...others } = headers;
  const tier = rules.tiers?.get(body.service_tier);
  const betas = acceptedBetas(cloud, header);
  const said = betas.join(",");
  const found: Note[] = said.length < (header ?? "").length ? [notes.betas] : [];
  const members: MemberChanges = {
    ...Object.fromEntries((rules.inPath ?? []).map((name) => [name, undefined])),
    ...(rules.version !== undefined &&
      { anthropic_version: cloud.messagesVersion ?? rules.version }),
    ...(rules.betasInBody && betas.length > 0 && { anthropic_beta: [...betas] }),
    ...refused(body, rules, { found, tier }),
    ...(rules.plainCaching && plainCaching(body, header, found)),
    ...(rules.schemas && !rules.schemas.test(model) && withoutSchemas(body, found)),
  };
  const tools = rules.lazyTools && withoutEager(members.tools ?? body.tools);
  return {
    headers: {
      ...others,
      ...(said !== "" && !rules.betasInBody && { "anthropic-beta": said }),
      ...(tier !== undefined && { [tierHeader]: tier }),
    },
    members: tools ? { ...members, tools } : members,
    notes: found,
  };
}

function refused(
  body: JsonObject,
  { refuses = [] }: ClaudeRules,
  { found, tier }: { readonly found: Note[]; readonly tier: string | undefined },
): MemberChanges {
  const sent = refuses.filter((name) => body[name] !== undefined);
  const lost = sent.filter((name) => name !== "service_tier" || tier === undefined);
  found.push(...lost.map(notes.member));
  return Object.fromEntries(sent.map((name) => [name, undefined]));
}

const scopes = "prompt-caching-scope";

/** Breakpoints without a scope, and one at the end of the prompt in place of the automatic ones. */
function plainCaching(
  body: JsonObject,
  betas: string | undefined,
  found: Note[],
): MemberChanges {
  const automatic = body.cache_control;
  if (isJsonObject(automatic)) found.push(notes.cache);
  const scoped = betas?.includes(scopes) ? withoutScopes(body) : {};
  if (!isJsonObject(automatic)) return scoped;
  const { scope: _, ...control } = automatic;
  return {
    ...scoped,
    cache_control: undefined,
    messages: withLastBreakpoint(scoped.messages ?? body.messages, control),
  };
}

function withoutScopes(body: JsonObject): Record<string, JsonValue> {
  const { system, tools, messages } = body;
  const changes: Record<string, JsonValue> = {};
  if (Array.isArray(system)) changes.system = system.map(unscoped);
  if (Array.isArray(tools)) changes.tools = tools.map(unscoped);
  if (Array.isArray(messages)) {
    changes.messages = messages.map((message) =>
      isJsonObject(message) && Array.isArray(message.content)
        ? { ...message, content: message.content.map(unscoped) }
        : message
    );
  }
  return changes;
}

function unscoped(block: JsonValue): JsonValue {
  if (!isJsonObject(block) || !isJsonObject(block.cache_control)) return block;
  const { scope: _, ...control } = block.cache_control;
  return { ...block, cache_control: control };
}

/** Blocks of an answer's thinking can have no breakpoint. */
const unmarked: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);

function withLastBreakpoint(messages: JsonValue | undefined, control: JsonObject): JsonValue {
  if (!Array.isArray(messages)) return messages ?? [];
  const last = messages.at(-1);
  if (!isJsonObject(last)) return messages;
  const blocks = typeof last.content === "string" && last.content !== ""
    ? [{ type: "text", text: last.content }]
    : Array.isArray(last.content)
    ? last.content
    : [];
  const at = blocks.findLastIndex((block) => isJsonObject(block) && !unmarked.has(block.type));
  const block = blocks[at];
  if (!isJsonObject(block)) return messages;
  const content = blocks.with(at, { ...block, cache_control: control });
  return messages.with(-1, { ...last, content });
}

function withoutSchemas(body: JsonObject, found: Note[]): MemberChanges {
  const changes: Record<string, JsonValue | undefined> = {};
  if (isJsonObject(body.output_config) && body.output_config.format !== undefined) {
    const { format: _, ...config } = body.output_config;
    changes.output_config = Object.keys(config).length > 0 ? config : undefined;
    found.push(notes.format);
  }
  const { tools } = body;
  if (Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool.strict === true)) {
    changes.tools = tools.map((tool) => without(tool, "strict"));
    found.push(notes.strict);
  }
  return changes;
}

function withoutEager(tools: JsonValue | undefined): JsonValue | undefined {
  const eager = "eager_input_streaming";
  if (!Array.isArray(tools)) return undefined;
  const isSaid = tools.some((tool) => isJsonObject(tool) && tool[eager] !== undefined);
  return isSaid ? tools.map((tool) => without(tool, eager)) : undefined;
}

function without(tool: JsonValue, name: string): JsonValue {
  if (!isJsonObject(tool)) return tool;
  const { [name]: _, ...rest } = tool;
  return rest;
}

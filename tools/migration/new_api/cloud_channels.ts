import type { UpstreamModel, UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import { cloudAddress } from "../cloud_address.ts";
import { isFields, parsed, type SourceObject } from "../source_object.ts";

/** One upstream of a channel: its place, keys and models. */
export interface ChannelPart
  extends Pick<UpstreamRecord, "endpoints" | "preset" | "auth" | "cloud" | "credentials"> {
  /** The beginning of the upstream's name. */
  readonly kind: string;
  readonly models: readonly UpstreamModel[];
}

interface Served {
  readonly models: readonly UpstreamModel[];
  readonly keys: readonly string[];
}

/** Splits a channel of a cloud into upstreams; a text says why there are none. */
type CloudChannel = (channel: SourceObject, served: Served) => readonly ChannelPart[] | string;

/** The channels of clouds by the number of their type, from new-api's constants (2026-11-23). */
export const cloudChannels: Readonly<Partial<Record<number, CloudChannel>>> = {
  33: bedrockParts,
  41: vertexParts,
};

/** An upstream for each region of the keys, which are `key|secret|region` or `key|region`. */
function bedrockParts(channel: SourceObject, { models, keys }: Served) {
  const parts = keys.map((key) => key.split("|")).filter(({ length }) =>
    length === 2 || length === 3
  );
  if (parts.length < keys.length) channel.changed("key", "without keys that name no region");
  if (parts.length === 0) return "its key names no region";
  const claude = models.filter((model) => ownName(model).includes("claude"));
  if (claude.length === 0) return "Tessera speaks InvokeModel with Claude only";
  if (claude.length < models.length) channel.changed("models", "the models of Claude");
  const byRegion = Map.groupBy(parts, (part) => part[part.length - 1]);
  return [...byRegion].map(([region, own]) => ({
    kind: `bedrock-${region}`,
    ...cloudAddress({ surface: "bedrock", region }),
    credentials: own.map(bedrockCredential),
    models: claude.map((model) => withName(model, bedrockName(ownName(model), region))),
  }));
}

function bedrockCredential([accessKeyId, secretAccessKey, ...more]: readonly string[]): string {
  if (more.length === 0) return accessKeyId;
  return JSON.stringify({ type: "aws", accessKeyId, secretAccessKey });
}

/** Bedrock's versions of Claude that do not end in `-v1:0`. */
const versions: Readonly<Partial<Record<string, string>>> = {
  "claude-3-5-sonnet-20241022": "-v2:0",
  "claude-opus-4-6": "-v1",
};
const profiles: Readonly<Partial<Record<string, string>>> = { us: "us.", eu: "eu.", ap: "apac." };
/** Models that new-api calls by a profile of regions in the US only. */
const usOnly = /^claude-(3-opus|3-5-haiku|opus-4-2|opus-4-1)/;

/** new-api calls `claude-…` by its id in Bedrock, and by the profile of the region's continent. */
function bedrockName(name: string, region: string): string {
  if (!name.startsWith("claude-")) return name;
  const version = versions[name] ?? (/-\d{8}$/.test(name) ? "-v1:0" : "");
  const [continent] = region.split("-");
  const profile = usOnly.test(name) && continent !== "us" ? "" : profiles[continent] ?? "";
  return `${profile}anthropic.${name}${version}`;
}

/** An upstream for each location. */
function vertexParts(channel: SourceObject, { models, keys }: Served) {
  const settings = channel.object("settings");
  if (settings) channel.changed("settings", "the kind of the key");
  if (settings?.vertex_key_type === "api_key") return expressParts(models, keys);
  const project = keys.map((key) => parsed(key)).map((key) => isFields(key) && key.project_id)
    .find((one) => typeof one === "string");
  if (typeof project !== "string") return "its key is no service account";
  const locations = locationsOf(channel);
  const byLocation = Map.groupBy(models, ({ id }) => locations[id] ?? locations.default);
  return [...byLocation].map(([location, own]) => ({
    kind: `vertex-${location}`,
    ...cloudAddress({ surface: "vertex", project, location }),
    credentials: keys,
    models: own.map((model) => withName(model, vertexName(ownName(model)))),
  }));
}

/** Vertex AI has the versions of Claude behind an @. */
function vertexName(name: string): string {
  return name.startsWith("claude-") ? name.replace(/-(\d{8})$/, "@$1") : name;
}

function expressParts(models: readonly UpstreamModel[], keys: readonly string[]) {
  const own = models.filter((model) => ownName(model).startsWith("gemini"));
  if (own.length === 0) return "Vertex AI takes API keys for Gemini only";
  const address = cloudAddress({ surface: "vertex" });
  return [{ kind: "vertex-express", ...address, credentials: keys, models: own }];
}

/** A location, or JSON with one for each model. */
function locationsOf(channel: SourceObject): Readonly<Record<string, string>> {
  const text = channel.text("other") ?? "";
  const value = text.startsWith("{") ? parsed(text) : { default: text };
  const entries = Object.entries(isFields(value) ? value : {})
    .filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "");
  return { default: "global", ...Object.fromEntries(entries) };
}

function ownName({ id, upstreamModel }: UpstreamModel): string {
  return upstreamModel ?? id;
}

function withName({ id }: UpstreamModel, own: string): UpstreamModel {
  return own === id ? { id } : { id, upstreamModel: own };
}

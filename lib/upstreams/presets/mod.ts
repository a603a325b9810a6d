import type { FormatName } from "../../canonical/mod.ts";
import type { Dialect } from "../../formats/codec.ts";
import type { Surface, UpstreamRecord } from "../../store/catalog/mod.ts";
import { surfaceOf } from "../surfaces/mod.ts";
import type { Preset } from "./preset.ts";
import { type PresetName, presets } from "./table.ts";

export type { Preset } from "./preset.ts";
export type { PresetName } from "./table.ts";

/** The names of all presets, in the order of the documents. */
export const presetNames = Object.keys(presets) as readonly PresetName[]; // the table's own keys

/** A preset by name; undefined for an unknown name, such as one of another release. */
export function presetNamed(name: PresetName): Preset;
export function presetNamed(name: string | undefined): Preset | undefined;
export function presetNamed(name: string | undefined): Preset | undefined {
  return name !== undefined && Object.hasOwn(presets, name)
    ? presets[name as PresetName] // sound: it is a key of the table
    : undefined;
}

/**
 * The base URL of each format of a preset, from its own or a similar address. The address may end
 * in a format's path, as clients need it.
 */
export function presetEndpoints(
  { paths }: Preset,
  baseUrl: string,
): UpstreamRecord["endpoints"] {
  const ending = Object.values(paths).find((path) => path !== "" && baseUrl.endsWith(path)) ?? "";
  const root = baseUrl.slice(0, baseUrl.length - ending.length);
  return Object.fromEntries(Object.entries(paths).map(([format, path]) => [format, root + path]));
}

/** The base URL of an upstream's relayed endpoints, if it differs from that of a format. */
export function relayedBaseUrl(
  { preset, endpoints }: Pick<UpstreamRecord, "preset" | "endpoints">,
): string | undefined {
  const relayed = presetNamed(preset)?.relayed;
  const base = relayed && endpoints[relayed.format];
  return base === undefined ? undefined : base + relayed?.path;
}

/** An upstream's dialect of a format; undefined if no differences are known. */
export function dialectOf(
  { preset, cloud, messagesVersion }: Pick<UpstreamRecord, "preset" | "cloud" | "messagesVersion">,
  format: FormatName,
): Dialect | undefined {
  const dialect = (surfaceOf({ cloud }) ?? presetNamed(preset))?.dialects?.[format];
  if (format !== "messages" || !isWithoutSampling(messagesVersion)) return dialect;
  return { ...dialect, refuses: [...dialect?.refuses ?? [], ...samplingMembers] };
}

/** Returns true if the vendor of a format serves an upstream, itself or in a cloud. */
export function isOfVendor(
  { preset, cloud, endpoints }: Pick<UpstreamRecord, "preset" | "cloud" | "endpoints">,
  format: FormatName,
): boolean {
  if (cloud !== undefined) return surfaceOf({ cloud })?.vendorOf.includes(format) === true;
  if (preset !== undefined) return presetNamed(preset)?.vendorOf === format;
  return vendorAddresses[format]?.test(endpoints[format] ?? "") === true;
}

const vendorAddresses: Readonly<Partial<Record<FormatName, RegExp>>> = {
  responses: /^https:\/\/([\w-]+\.)*(openai|openai\.azure)\.com(:|\/|$)/,
  messages: /^https:\/\/api\.anthropic\.com(:|\/|$)/,
};

/** Returns true for versions of the messages API that reject sampling parameters (2026-11). */
function isWithoutSampling(version = ""): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= "2026-10-21";
}

const samplingMembers = ["temperature", "top_p", "top_k"];

/** Presets whose vendor has a well-known name in OpenTelemetry that differs from the preset's. */
const providerNames: Readonly<Partial<Record<string, string>>> = {
  azure: "azure.ai.openai",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  moonshot: "moonshot_ai",
  xai: "x_ai",
} satisfies Partial<Record<PresetName, string>>;

const cloudNames: Readonly<Record<Surface, string>> = {
  bedrock: "aws.bedrock",
  "bedrock-mantle": "aws.bedrock",
  "bedrock-invoke": "aws.bedrock",
  "claude-on-aws": "anthropic",
  vertex: "gcp.vertex_ai",
  "azure-openai": "azure.ai.openai",
  foundry: "azure.ai.inference",
};

/** `gen_ai.provider.name` of an upstream: its vendor's name, or its own id without a preset. */
export function providerName(
  { preset, cloud, id }: Pick<UpstreamRecord, "preset" | "cloud" | "id">,
): string {
  if (cloud !== undefined) return cloudNames[cloud.surface];
  return preset === undefined ? id : providerNames[preset] ?? preset;
}

import type { FormatName } from "../../canonical/mod.ts";
import type { Dialect } from "../../formats/dialect.ts";
import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import type { Preset } from "./preset.ts";
import { type PresetName, presets } from "./table.ts";

export type { Preset } from "./preset.ts";
export type { PresetName } from "./table.ts";

/** The names by which presets are called, in the order of the documents. */
export const presetNames = Object.keys(presets) as readonly PresetName[]; // the table's own keys

/** A preset's row; undefined for a name that is none, such as one of an older or newer release. */
export function presetNamed(name: PresetName): Preset;
export function presetNamed(name: string | undefined): Preset | undefined;
export function presetNamed(name: string | undefined): Preset | undefined {
  return name !== undefined && Object.hasOwn(presets, name)
    ? presets[name as PresetName] // sound: it is a key of the table
    : undefined;
}

/**
 * The base URL for each format that a preset speaks, from its own address or from another of the
 * same kind, be it entered with a format's path, as clients want it, or without.
 */
export function presetEndpoints(
  { paths }: Preset,
  baseUrl: string,
): UpstreamRecord["endpoints"] {
  const ending = Object.values(paths).find((path) => path !== "" && baseUrl.endsWith(path)) ?? "";
  const root = baseUrl.slice(0, baseUrl.length - ending.length);
  return Object.fromEntries(Object.entries(paths).map(([format, path]) => [format, root + path]));
}

/** The base URL of an upstream's endpoints beside the formats, where it is not that of a format. */
export function relayedBaseUrl(
  { preset, endpoints }: Pick<UpstreamRecord, "preset" | "endpoints">,
): string | undefined {
  const relayed = presetNamed(preset)?.relayed;
  const base = relayed && endpoints[relayed.format];
  return base === undefined ? undefined : base + relayed?.path;
}

/** How an upstream's form of a format differs from the format's own; undefined where nothing is known of it. */
export function dialectOf(
  { preset, messagesVersion }: Pick<UpstreamRecord, "preset" | "messagesVersion">,
  format: FormatName,
): Dialect | undefined {
  const dialect = presetNamed(preset)?.dialects?.[format];
  if (format !== "messages" || !isWithoutSampling(messagesVersion)) return dialect;
  return { ...dialect, refuses: [...dialect?.refuses ?? [], ...samplingMembers] };
}

/** From this version of its API on, the vendor of the messages format takes no sampling parameters (2026-11). */
function isWithoutSampling(version = ""): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= "2026-10-21";
}

const samplingMembers = ["temperature", "top_p", "top_k"];

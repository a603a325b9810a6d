import type { Effort } from "../../canonical/mod.ts";

/** A model's thinking settings and generation, derived from its name. */
export interface ModelTraits {
  /** `budget`: thinks by token budget; `level`: by named level; `none`: refuses any thinking setting. */
  readonly thinking: "none" | "budget" | "level" | "unknown";
  /** True from the third generation on: requires thought signatures, accepts media in function responses. */
  readonly signed: boolean;
  /** True if hosted tools, functions and JSON output can be combined. */
  readonly mixesTools: boolean;
  readonly budget?: { readonly min: number; readonly max: number; readonly canDisable: boolean };
  readonly levels?: Readonly<Record<Effort, ThinkingLevel>>;
}

export type ThinkingLevel = "MINIMAL" | "LOW" | "MEDIUM" | "HIGH" | "XHIGH";

/**
 * The traits of a model by its name. The second generation and earlier are listed; any later model
 * of the vendor counts as third generation; other names are unknown, and nothing is assumed.
 */
export function traitsOf(model: string): ModelTraits {
  return rows.find(({ names }) => names.test(model))?.traits ?? unknown;
}

/** The most that any known model accepts: which ones accept `XHIGH` (2026-11) is not documented. */
export const levelOfEffort: Readonly<Record<Effort, ThinkingLevel>> = {
  none: "MINIMAL",
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};
/** The level that means exactly an effort, if the format has one. */
export const exactLevel: typeof levelOfEffort = { ...levelOfEffort, xhigh: "XHIGH" };
const pro: typeof levelOfEffort = { ...levelOfEffort, none: "LOW", minimal: "LOW" };
const firstPro: typeof levelOfEffort = { ...pro, medium: "HIGH" };

const older = { signed: false, mixesTools: false } as const;
const newer = { thinking: "level", signed: true, mixesTools: true } as const;
const unknown: ModelTraits = { thinking: "unknown", signed: false, mixesTools: true };

/** First match wins. Ranges as documented for the 2.5 family in 2026-08. */
const rows: readonly { readonly names: RegExp; readonly traits: ModelTraits }[] = [
  {
    names: /gemini-2\.5-pro/,
    traits: {
      ...older,
      thinking: "budget",
      budget: { min: 128, max: 32_768, canDisable: false },
    },
  },
  {
    names: /gemini-2\.5-flash-lite/,
    traits: {
      ...older,
      thinking: "budget",
      budget: { min: 512, max: 24_576, canDisable: true },
    },
  },
  { names: /gemini-2\.5-flash-(?:image|preview-tts)/, traits: { ...older, thinking: "none" } },
  {
    names: /gemini-2\.5-flash/,
    traits: { ...older, thinking: "budget", budget: { min: 1, max: 24_576, canDisable: true } },
  },
  { names: /gemini-(?:[12][.-]|(?:pro|flash)$|exp)/, traits: { ...older, thinking: "none" } },
  { names: /gemini-(?:3\.[7-9]|[4-9]|\d{2,}).*flash/, traits: { ...newer, levels: pro } },
  { names: /gemini-3-pro/, traits: { ...newer, levels: firstPro } },
  { names: /gemini.*pro/, traits: { ...newer, levels: pro } },
  { names: /(?:^|[/-])gemini-/, traits: { ...newer, levels: levelOfEffort } },
];

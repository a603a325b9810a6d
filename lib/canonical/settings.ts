import type { JsonObject } from "../json/mod.ts";
import type { NativeFields } from "./format.ts";

/** Amounts of reasoning, from none to the maximum. */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
/** An amount of reasoning. */
export type Effort = typeof efforts[number];

export interface Reasoning {
  readonly effort?: Effort;
  /** Reasoning budget in tokens; -1 lets the model choose, 0 disables reasoning. */
  readonly budgetTokens?: number;
  /** `adaptive`: the model decides when to think. `disabled`: stated by the caller. */
  readonly mode?: "enabled" | "adaptive" | "disabled";
  /** The requested visibility of the reasoning. */
  readonly summary?: "none" | "auto" | "concise" | "detailed";
  readonly native?: NativeFields;
}

/** The effort for token budgets up to each bound. */
const effortOfTokens = [
  { tokensMax: 0, effort: "none" },
  { tokensMax: 1024, effort: "low" },
  { tokensMax: 8192, effort: "medium" },
  { tokensMax: 24_576, effort: "high" },
] as const satisfies readonly { tokensMax: number; effort: Effort }[];

/** The effort nearest to a budget; undefined for no budget, or for -1, which lets the model choose. */
export function effortOfBudget(tokens: number | undefined): Effort | undefined {
  if (tokens === undefined || tokens < 0) return undefined;
  return effortOfTokens.find(({ tokensMax }) => tokens <= tokensMax)?.effort ?? "xhigh";
}

/** The effort of a request in one word: `medium` if it requests thinking without an amount. */
export function effortAsked({ effort, budgetTokens, mode }: Reasoning): Effort | undefined {
  if (mode === "disabled") return "none"; // an effort stated with it is about the answer
  const leftToModel = mode !== undefined || budgetTokens !== undefined ? "medium" : undefined;
  return effort ?? effortOfBudget(budgetTokens) ?? leftToModel;
}

/** Returns true if a budget must be stated as an effort, which is less exact; disabled reasoning is exact. */
export function isBudgetAsEffort({ effort, budgetTokens = 0, mode }: Reasoning): boolean {
  return mode !== "disabled" && effort === undefined && budgetTokens > 0;
}

/** Settings that apply from a place in the conversation on, until a later change replaces them. */
export interface Change {
  readonly effort?: Effort;
  readonly output?: OutputFormat;
  /** Names of the tools that are added from here on. */
  readonly addedTools?: readonly string[];
  /** Names of the tools that are removed. */
  readonly removedTools?: readonly string[];
}

export type OutputFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | {
    readonly type: "schema";
    readonly schema: JsonObject;
    readonly name?: string;
    readonly description?: string;
    readonly strict?: boolean;
    readonly native?: NativeFields;
  };

import type { Reasoning } from "./request.ts";

/** How much a model is to think, from nothing to all that it can. */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
/** How much a model is to think. */
export type Effort = typeof efforts[number];

/** Upper bounds of a budget in tokens and the effort that comes nearest. */
const effortOfTokens = [
  { tokensMax: 0, effort: "none" },
  { tokensMax: 1024, effort: "low" },
  { tokensMax: 8192, effort: "medium" },
  { tokensMax: 24_576, effort: "high" },
] as const satisfies readonly { tokensMax: number; effort: Effort }[];

/** The effort that comes nearest to a budget; undefined where none is said or -1 leaves it to the model. */
export function effortOfBudget(tokens: number | undefined): Effort | undefined {
  if (tokens === undefined || tokens < 0) return undefined;
  return effortOfTokens.find(({ tokensMax }) => tokens <= tokensMax)?.effort ?? "xhigh";
}

/** The effort of a request in one word: `medium` if it asks for thinking and leaves the amount to the model. */
export function effortAsked({ effort, budgetTokens, mode }: Reasoning): Effort | undefined {
  if (mode === "disabled") return "none"; // an effort beside it is that of the answer
  const leftToModel = mode !== undefined || budgetTokens !== undefined ? "medium" : undefined;
  return effort ?? effortOfBudget(budgetTokens) ?? leftToModel;
}

/** Returns true if a budget must be stated as an effort, which is less exact; no thinking at all is exact. */
export function isBudgetAsEffort({ effort, budgetTokens = 0, mode }: Reasoning): boolean {
  return mode !== "disabled" && effort === undefined && budgetTokens > 0;
}

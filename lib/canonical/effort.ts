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

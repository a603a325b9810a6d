import type { RollupDimension } from "../../store/usage/mod.ts";
import type { User } from "../../store/users/mod.ts";
import { type PeriodName, readPeriod } from "../page/period.ts";
import { readWho, type Who } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";

/** The figures that the chart can show; the last two are the operators'. */
const spendMeasures = ["cost", "requests", "tokens", "upstream", "margin"] as const;
export type SpendMeasure = typeof spendMeasures[number];
const memberMeasures: readonly SpendMeasure[] = ["cost", "requests", "tokens"];

/** The figures that a user may see. */
export function measuresFor({ role }: Pick<User, "role">): readonly SpendMeasure[] {
  return role === "administrator" ? spendMeasures : memberMeasures;
}

/** The dimensions of the breakdown, as named in the address. */
export const spendDimensions = [
  "user",
  "group",
  "project",
  "key",
  "upstream",
  "model",
  "tag",
] as const;
export type SpendDimension = typeof spendDimensions[number];

/** The dimensions of one account's spend. */
export const ownDimensions = ["model", "key"] as const satisfies readonly SpendDimension[];

export const rollupOf = {
  user: "account",
  group: "group",
  project: "project",
  key: "key",
  upstream: "upstream",
  model: "model",
  tag: "tag",
} as const satisfies Record<SpendDimension, RollupDimension>;

/** The parameters of the overview's address. */
export interface SpendQuery {
  readonly who: Who;
  readonly period: PeriodName;
  readonly measure: SpendMeasure;
  readonly dimension: SpendDimension;
  /**
   * The key of the tags that the dimension `tag` breaks down by: a call has at most one value of it.
   * Absent before the first tag.
   */
  readonly tagKey?: string;
}

/** Reads `?who=&period=&measure=&by=&tag_key=`; ignores unknown values. */
export function readSpendQuery(
  fields: URLSearchParams,
  state: Pick<AccountState, "account" | "hasOthers" | "services">,
): SpendQuery {
  const who = readWho(fields, state);
  const dimensions: readonly SpendDimension[] = who === "mine" ? ownDimensions : spendDimensions;
  const measures = measuresFor(state.account.user);
  const dimension = dimensions.find((one) => one === fields.get("by")) ?? dimensions[0];
  const tagKeys = dimension === "tag" ? state.services.directory.tagKeys() : [];
  const [tagKey] = tagKeys.filter((key) => key === fields.get("tag_key")).concat(tagKeys);
  return {
    who,
    period: readPeriod(fields, "14d"),
    measure: measures.find((measure) => measure === fields.get("measure")) ?? "cost",
    dimension,
    ...(tagKey !== undefined && { tagKey }),
  };
}

import { permits } from "../../accounts/mod.ts";
import type { RollupDimension } from "../../store/usage/mod.ts";
import type { User } from "../../store/users/mod.ts";
import { longestPeriod, type PeriodSpan, readPeriod, readStep } from "../page/period.ts";
import { readWho, type Who } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";

/** The figures that the chart can show; the last two are the operators'. */
const spendMeasures = ["cost", "requests", "tokens", "upstream", "margin"] as const;
export type SpendMeasure = typeof spendMeasures[number];
const memberMeasures: readonly SpendMeasure[] = ["cost", "requests", "tokens"];

/** The figures that a user may see. */
export function measuresFor({ role }: Pick<User, "role">): readonly SpendMeasure[] {
  return permits(role, "usage:read") ? spendMeasures : memberMeasures;
}

/** The dimensions of the breakdown, as named in the address. */
const spendDimensions = [
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
const ownDimensions = ["model", "key"] as const satisfies readonly SpendDimension[];

/** The dimensions of one project's spend. */
const projectDimensions = [
  "user",
  "key",
  "model",
  "tag",
] as const satisfies readonly SpendDimension[];

/** The dimensions that a reader may choose. */
export function dimensionsFor(
  { who, projectId }: Pick<SpendQuery, "who" | "projectId">,
): readonly SpendDimension[] {
  if (projectId !== undefined) return projectDimensions;
  return who === "mine" ? ownDimensions : spendDimensions;
}

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
  readonly span: PeriodSpan;
  /** The step whose subjects the table shows; absent for those of the whole period. */
  readonly step?: number;
  readonly measure: SpendMeasure;
  readonly dimension: SpendDimension;
  /**
   * The key of the tags that the dimension `tag` breaks down by: a call has at most one value of it.
   * Absent before the first tag.
   */
  readonly tagKey?: string;
  /** Only the spend of one project, for its page. */
  readonly projectId?: string;
}

/** The project of a page of spend. */
interface ProjectSpend {
  readonly id: string;
  /** The keys of the tags of its calls. */
  readonly tagKeys: readonly string[];
}

/** Reads `?who=&measure=&by=&tag_key=&at=` and the period; ignores unknown values. */
export function readSpendQuery(
  fields: URLSearchParams,
  state: Pick<AccountState, "account" | "hasOthers" | "services" | "nowMs" | "timeZone">,
  project?: ProjectSpend,
): SpendQuery {
  const who = readWho(fields, state);
  const dimensions = dimensionsFor({ who, projectId: project?.id });
  const measures = measuresFor(state.account.user);
  const dimension = dimensions.find((one) => one === fields.get("by")) ?? dimensions[0];
  const known = () => project?.tagKeys ?? state.services.directory.tagKeys();
  const tagKeys = dimension === "tag" ? known() : [];
  const [tagKey] = tagKeys.filter((key) => key === fields.get("tag_key")).concat(tagKeys);
  const span = readPeriod(fields, project ? longestPeriod : "14d", state);
  const step = readStep(fields, span);
  return {
    who,
    span,
    ...(step !== undefined && { step }),
    measure: measures.find((measure) => measure === fields.get("measure")) ?? "cost",
    dimension,
    ...(tagKey !== undefined && { tagKey }),
    ...(project && { projectId: project.id }),
  };
}

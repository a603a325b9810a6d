import { BoundedMap } from "../../bounded_map.ts";
import { type PartUsage, type SubjectScope, usageParts, usageTable } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import { tagOfText } from "../../store/projects/mod.ts";
import {
  type Counts,
  positiveCounts,
  type RollupDimension,
  type RollupParts,
  type RollupSubject,
  subjects,
  subtractCounts,
} from "../../store/usage/mod.ts";
import type { PeriodSpan } from "../page/period.ts";
import { KeptRead } from "../page/reading.ts";
import { rollupOf, type SpendDimension, type SpendQuery } from "./spend_query.ts";

/** The extent of a breakdown: one account, one project, or everything. */
interface TableOptions extends Pick<SpendQuery, "dimension" | "tagKey" | "projectId"> {
  readonly accountId: string | undefined;
}

/** Usage before a period, between that and the period, and in each of its steps. */
export interface SpendTable {
  readonly whole: readonly Counts[];
  /** The subjects with calls in the period. */
  readonly called: readonly PartUsage[];
  /** The calls without a subject. */
  readonly without: readonly Counts[];
}

export function wholeOf({ accountId, projectId }: TableOptions): RollupSubject {
  if (projectId !== undefined) return subjects.project(projectId);
  return accountId === undefined ? subjects.all() : subjects.account(accountId);
}

const ofProject = {
  user: "projectAccount",
  key: "projectKey",
  model: "projectModel",
  tag: "projectTag",
} as const satisfies Partial<Record<SpendDimension, RollupDimension>>;

/** The subjects of a breakdown; those of a project's tags have all keys. */
export function subjectsIn(
  { dimension, tagKey, accountId, projectId }: TableOptions,
): SubjectScope {
  if (projectId !== undefined) {
    const dimensions: Partial<Record<SpendDimension, RollupDimension>> = ofProject;
    return { dimension: dimensions[dimension] ?? ofProject.user, scope: projectId };
  }
  const scope = dimension === "tag" ? tagKey : dimension === "key" ? accountId : accountId ?? "";
  return { dimension: rollupOf[dimension], ...(scope !== undefined && { scope }) };
}

/** From this number of subjects on, a table is kept in memory: it takes long to read. */
const keptFrom = 100;
const tables = new BoundedMap<string, KeptRead<Store, SpendTable>>(20);

export function readTable(
  store: Store,
  options: TableOptions,
  { span, nowMs }: { readonly span: PeriodSpan; readonly nowMs: number },
): Promise<SpendTable> {
  const parts = partsOf(span);
  const read = () => readUsage(store, options, parts);
  if (options.accountId !== undefined) return read();
  const { dimension, tagKey, projectId } = options;
  const table = tables.getOrInsert(
    JSON.stringify([dimension, tagKey, projectId, span.name, span.timeZone]),
    () => new KeptRead<Store, SpendTable>(({ called }) => called.length >= keptFrom),
  );
  return table.get(store, { version: JSON.stringify(parts), nowMs, read });
}

/** The period before, the time between the two, and each step of the period. */
function partsOf({ beforeMs, beforeEndMs, starts, toMs }: PeriodSpan): RollupParts {
  return { startsMs: [beforeMs, beforeEndMs, ...starts], toMs };
}

async function readUsage(
  store: Store,
  options: TableOptions,
  parts: RollupParts,
): Promise<SpendTable> {
  const { projectId, tagKey } = options;
  const rows = (await usageTable(store, subjectsIn(options), parts)) // compacts
    .filter(({ subject: { dimension, value } }) =>
      projectId === undefined || dimension !== "projectTag" || tagOfText(value).key === tagKey
    );
  const whole = await usageParts(store, wholeOf(options), parts);
  const isCalled = ({ parts: [, , ...steps] }: PartUsage) =>
    steps.some(({ requests }) => requests > 0);
  return {
    whole,
    called: rows.filter(isCalled),
    without: whole.map((all, part) =>
      rows.reduce((left, { parts }) => positiveCounts(subtractCounts(left, parts[part])), all)
    ),
  };
}

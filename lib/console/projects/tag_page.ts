import { tagUsage } from "../../ledger/mod.ts";
import type { Budget } from "../../store/money/mod.ts";
import { listTagBudgets, tagOfText } from "../../store/projects/mod.ts";
import { type BudgetUse, budgetUses } from "../keys/budget_use.ts";
import type { AccountState } from "../session/state.ts";

/** The spending of one tag in the last 30 days, today (UTC) included; amounts in nano-dollars. */
export interface TagRow {
  /** Such as `team=a`. */
  readonly text: string;
  readonly requests: number;
  readonly spentNanoUsd: bigint;
  readonly budgets: readonly BudgetUse[];
}

/** The tags with one key. */
export interface TagGroup {
  readonly key: string;
  /** Tags with budgets first, then by cost. */
  readonly rows: readonly TagRow[];
  /** The number of further values. */
  readonly others: number;
}

const dayMs = 86_400_000;
const spentDays = 30;
const valuesShown = 20;

/** The spending by tag, by the names of their keys. */
export async function readTagGroups(state: AccountState): Promise<readonly TagGroup[]> {
  const { services: { store, directory } } = state;
  const budgets = await listTagBudgets(store);
  const bounds = new Map(budgets.map(({ tag, budgets = [] }) => [tag, budgets]));
  return await Promise.all(directory.tagKeys().map((key) => readGroup(key, { bounds, state })));
}

async function readGroup(key: string, { bounds, state }: {
  readonly bounds: ReadonlyMap<string, readonly Budget[]>;
  readonly state: AccountState;
}): Promise<TagGroup> {
  const { services: { store }, nowMs } = state;
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { fromMs: toMs - spentDays * dayMs, toMs };
  const { tags, othersCount } = await tagUsage(store, key, period, valuesShown);
  const used = new Map(tags.map(({ text, counts }) => [text, counts]));
  const bound = [...bounds.keys()].filter((text) => tagOfText(text).key === key);
  const texts = new Set([...bound, ...used.keys()]);
  const rows = [...texts].map(async (text): Promise<TagRow> => ({
    text,
    requests: used.get(text)?.requests ?? 0,
    spentNanoUsd: used.get(text)?.costNanoUsd ?? 0n,
    budgets: await budgetUses(state, { owner: "tag", id: text, budgets: bounds.get(text) }),
  }));
  return { key, rows: await Promise.all(rows), others: othersCount };
}

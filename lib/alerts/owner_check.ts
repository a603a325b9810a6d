import { limitName } from "../canonical/mod.ts";
import {
  type Alert,
  type BalanceAlert,
  changeBalanceMark,
  readBalanceMark,
} from "../store/alerts/mod.ts";
import { getBalance, walletId } from "../store/money/mod.ts";
import { checkBudget } from "./budget_check.ts";
import type { NotedOwner } from "./noted_owners.ts";
import { readOwner } from "./owner.ts";
import {
  alertAbout,
  type CheckedOwner,
  type CheckOptions,
  type Raised,
  raiseOnce,
} from "./raise.ts";
import { balanceStep } from "./threshold.ts";

/** Checks the budgets and the prepaid balance of one owner, and raises new alerts. */
export async function checkOwner(noted: NotedOwner, options: CheckOptions): Promise<Alert[]> {
  const owned = await readOwner(options.store, noted.owner, noted.id);
  if (!owned) return [];
  const checked = { noted, owned };
  const raised = [];
  for (const budget of owned.budgets) raised.push(await checkBudget(checked, budget, options));
  if (owned.prepaid) raised.push(await raiseOnce(() => checkBalance(checked, options)));
  return raised.filter((alert) => alert !== undefined);
}

async function checkBalance(
  checked: CheckedOwner,
  options: CheckOptions,
): Promise<Raised | undefined> {
  const { store, settings: { lowBalanceNanoUsd: lowNanoUsd }, now } = options;
  const { id, refusals } = checked.noted;
  const read = await readBalanceMark(store, walletId(id));
  const { balanceNanoUsd, fundedNanoUsd, spentNanoUsd } = await getBalance(store, id);
  const refused = refusals.has(limitName("account", "balance"));
  const step = balanceStep({ fundedNanoUsd, spentNanoUsd, refused }, read.mark, lowNanoUsd);
  if (!step) return { raised: undefined };
  const raised: BalanceAlert | undefined = step.tell && {
    ...alertAbout(checked, options),
    type: "balance",
    allowanceId: walletId(id),
    refused: step.tell.refused,
    lowNanoUsd,
    balanceNanoUsd,
  };
  const change = { mark: step.mark, alert: raised, nowMs: now() };
  return await changeBalanceMark(store, read, change) ? { raised } : undefined;
}

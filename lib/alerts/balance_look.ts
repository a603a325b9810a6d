import { limitName } from "../canonical/mod.ts";
import {
  type Alert,
  type BalanceAlert,
  changeBalanceMark,
  getBalance,
  readBalanceMark,
  walletId,
} from "../store/mod.ts";
import { alertAbout, type Attempt, type LookOptions, raiseOnce, type Seen } from "./raise.ts";
import { balanceStep } from "./threshold.ts";

/** Looks at the prepaid balance of an account and raises what is new of it. */
export function lookAtBalance(seen: Seen, options: LookOptions): Promise<Alert | undefined> {
  return raiseOnce(() => tell(seen, options));
}

async function tell(seen: Seen, options: LookOptions): Promise<Attempt> {
  const { store, settings: { lowBalanceNanoUsd: lowNanoUsd }, now } = options;
  const { id, refusals } = seen.noted;
  const read = await readBalanceMark(store, walletId(id));
  const { balanceNanoUsd, fundedNanoUsd, spentNanoUsd } = await getBalance(store, id);
  const refused = refusals.has(limitName("account", "balance"));
  const step = balanceStep({ fundedNanoUsd, spentNanoUsd, refused }, read.mark, lowNanoUsd);
  if (!step) return { raised: undefined };
  const raised: BalanceAlert | undefined = step.tell && {
    ...alertAbout(seen, options),
    type: "balance",
    allowanceId: walletId(id),
    refused: step.tell.refused,
    lowNanoUsd,
    balanceNanoUsd,
  };
  const change = { mark: step.mark, alert: raised, nowMs: now() };
  return await changeBalanceMark(store, read, change) ? { raised } : undefined;
}

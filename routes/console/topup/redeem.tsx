import { BalancePage, type BalancePageData } from "../../../components/wallet/BalancePage.tsx";
import { auditEntry, type AuditFacts } from "../../../lib/admin/audit.ts";
import { usdText } from "../../../lib/canonical/mod.ts";
import { seeOther } from "../../../lib/console/page/address.ts";
import { defineForm } from "../../../lib/console/page/form.ts";
import { formatsFor, waitInWords } from "../../../lib/console/page/format.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../lib/console/session/state.ts";
import { readBalance } from "../../../lib/console/wallet/balance.ts";
import { redeem, type RedeemResult } from "../../../lib/funds/mod.ts";
import type { LedgerEntry } from "../../../lib/store/money/mod.ts";

const balancePath = "/console/topup";

/** Redeems a code and redirects to the balance; a refused code is shown again in the form. */
export const handler = defineForm<BalancePageData>({
  load: ({ state }) => readBalance(state),
  shownAt: () => balancePath,

  async submit(ctx, form, { again }) {
    const { state, state: { services: { store }, account: { user }, nowMs } } = ctx;
    const entered = (form.get("code") ?? "").trim().slice(0, 200);
    const audit = (entry: LedgerEntry) => auditEntry(ctx, redeemed(entry));
    const result = entered === ""
      ? "missing"
      : await redeem(store, { accountId: user.id, entered, audit }, nowMs);
    if (result !== "missing" && result.type === "redeemed") {
      return seeOther(`${balancePath}?redeemed=${result.entry.id}`);
    }
    return await again(
      { redeemForm: { entered, fault: faultOf(result, state) } },
      answerTo(result),
    );
  },
});

function redeemed({ reason, amountNanoUsd, reference }: LedgerEntry): AuditFacts {
  return {
    kind: "code",
    action: "redeemed",
    targetId: reference ?? "",
    targetName: reason.replace(/^Code /, ""),
    changes: [{ field: "amount", after: usdText(amountNanoUsd) }],
  };
}

type Refusal = Exclude<RedeemResult, { type: "redeemed" }> | "missing";

function answerTo(result: Refusal): { status: number; headers?: HeadersInit } {
  if (result === "missing" || result.type !== "wait") return { status: 422 };
  return { status: 429, headers: { "retry-after": String(result.retryAfterSeconds) } };
}

function faultOf(result: Refusal, state: AccountState): string {
  const { balance: texts } = state.catalog;
  if (result === "missing") return texts.codeMissing;
  switch (result.type) {
    case "repeated":
      return texts.codeRepeated(formatsFor(state).ago(result.atMs));
    case "limited":
      return state.catalog.codes.limitReached(result.perAccountMax);
    case "refused":
      return texts.codeRefused;
    case "wait":
      return texts.codeWait(waitInWords(result.retryAfterSeconds, state.catalog));
    default:
      return result satisfies never;
  }
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <BalancePage
    view={accountView(state, new URL(balancePath, url))}
    data={data}
    unlimited={state.account.user.spending === "unlimited"}
  />
));

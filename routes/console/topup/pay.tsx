import { page } from "fresh";
import { A } from "../../../components/A.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { type AddFundsForm, payPath } from "../../../components/wallet/AddFunds.tsx";
import { BalancePage, type BalancePageData } from "../../../components/wallet/BalancePage.tsx";
import { auditEntry } from "../../../lib/admin/audit.ts";
import { usdText } from "../../../lib/canonical/mod.ts";
import { returnOrigin, seeOther } from "../../../lib/console/page/address.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { formatsFor } from "../../../lib/console/page/format.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import {
  type AccountState,
  defineForAccount,
  type PageAuditContext,
} from "../../../lib/console/session/state.ts";
import { paymentBounds, readAmount, readBalance } from "../../../lib/console/wallet/balance.ts";
import type { BeginResult } from "../../../lib/funds/mod.ts";

const balancePath = "/console/topup";

type PayData =
  | { readonly type: "leaving"; readonly payUrl: string }
  | { readonly type: "refused"; readonly page: BalancePageData };

/**
 * Starts a payment and continues to Checkout by a page with a `refresh`, because the content
 * security policy forbids forms that redirect to another site.
 */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const { services: { payments }, account: { user } } = state;
    const id = (url.searchParams.get("payment") ?? "").slice(0, 200);
    const payment = await payments?.find(user, id);
    if (payment?.status === "open" && payment.url !== undefined) {
      const data = { type: "leaving", payUrl: payment.url } as const;
      return page<PayData>(data, { headers: { refresh: `0; url=${payment.url}` } });
    }
    const query = payment ? `?payment=${encodeURIComponent(payment.id)}` : "";
    return seeOther(balancePath + query);
  },

  async POST(ctx) {
    const { req, url, state } = ctx;
    const form = await readForm(req);
    const result = await begin(form, returnOrigin(req, url), ctx);
    if (result.type === "begun") {
      return seeOther(payPath(result.id));
    }
    const values = { amount: form.get("amount") ?? "other", other: form.get("other") ?? "" };
    const payForm = { ...values, ...wordsFor(result, state) };
    const data = { ...await readBalance(state), payForm };
    return page<PayData>({ type: "refused", page: data }, { status: statusOf[result.type] });
  },
});

async function begin(
  form: URLSearchParams,
  origin: string,
  ctx: PageAuditContext,
): Promise<BeginResult> {
  const { services: { payments }, account: { user }, locale } = ctx.state;
  const amountNanoUsd = readAmount(form) ?? 0n;
  const language = locale === "zh-CN" ? "zh" : "en";
  const changes = [{ field: "amount", after: usdText(amountNanoUsd) }];
  const audit = (id: string) =>
    auditEntry(ctx, { kind: "payment", action: "begun", targetId: id, targetName: id, changes });
  const wanted = { user, amountNanoUsd, returnUrl: origin + balancePath, language, audit } as const;
  return await payments?.begin(wanted) ?? { type: "failed" };
}

type Refusal = Exclude<BeginResult, { type: "begun" }>;

const statusOf = { invalid: 422, wait: 429, failed: 503 } as const satisfies Record<
  Refusal["type"],
  number
>;

function wordsFor(
  { type }: Refusal,
  state: AccountState,
): Pick<AddFundsForm, "fault" | "problem"> {
  const { balance: texts } = state.catalog;
  switch (type) {
    case "invalid": {
      const { min, max } = paymentBounds(state.services.config.limits);
      const { price } = formatsFor(state);
      return { fault: texts.amountFault(price(min), price(max)) };
    }
    case "wait":
      return { problem: texts.tooMany };
    case "failed":
      return { problem: texts.payFailed };
    default:
      return type satisfies never;
  }
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, new URL(balancePath, url));
  if (data.type === "refused") {
    const unlimited = state.account.user.spending === "unlimited";
    return <BalancePage view={view} data={data.page} unlimited={unlimited} />;
  }
  const { balance, payment: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={balance.title} place="balance">
      <section class="panel" aria-labelledby="leaving">
        <div class="empty">
          <h2 id="leaving">{texts.leaving}</h2>
          <p>{texts.leavingText}</p>
          <A class="button primary" href={data.payUrl}>{texts.go}</A>
        </div>
      </section>
    </ConsolePage>
  );
});

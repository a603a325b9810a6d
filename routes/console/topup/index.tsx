import { page } from "fresh";
import { BalancePage, type BalancePageData } from "../../../components/wallet/BalancePage.tsx";
import { readLedgerEntryId } from "../../../lib/admin/funds.ts";
import { readQuery } from "../../../lib/console/page/define_list.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { historyList, readBalance, redeemedAmount } from "../../../lib/console/wallet/balance.ts";

/**
 * The wallet, with a history filtered by `historyList`. `?payment=` returns from a payment, whose
 * state is read from Stripe; `?redeemed=` returns from redeeming a code.
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store, payments }, account: { user } } = state;
    const payment = (searchParams.get("payment") ?? "").slice(0, 200);
    const returned = payment === "canceled" ? payment : await payments?.find(user, payment);
    const entryId = readLedgerEntryId(searchParams.get("redeemed"));
    const redeemedNanoUsd = await redeemedAmount(store, user.id, entryId);
    const data = await readBalance(state, readQuery(historyList, searchParams));
    return page<BalancePageData>({ ...data, returned, redeemedNanoUsd });
  },
});

export default accountPage<typeof handler>(({ data, state, view }) => (
  <BalancePage
    view={view}
    data={data}
    unlimited={state.account.user.spending === "unlimited"}
  />
));

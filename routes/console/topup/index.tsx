import { page } from "fresh";
import { BalancePage, type BalancePageData } from "../../../components/wallet/BalancePage.tsx";
import {
  readBalance,
  readEntryId,
  readEntryType,
  redeemedAmount,
} from "../../../lib/console/wallet/balance.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { accountView } from "../../../lib/console/page/view.ts";

/**
 * The wallet. `?kind=` shows entries of one kind, `?before=` continues them below an entry; `?payment=` comes back from a
 * payment, of which Stripe is asked, and `?redeemed=` from a code.
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store, payments }, account: { user } } = state;
    const payment = (searchParams.get("payment") ?? "").slice(0, 200);
    const returned = payment === "canceled" ? payment : await payments?.find(user, payment);
    const entryId = readEntryId(searchParams.get("redeemed"));
    const redeemedNanoUsd = await redeemedAmount(store, user.id, entryId);
    const data = await readBalance(state, {
      before: readEntryId(searchParams.get("before")),
      kind: readEntryType(searchParams.get("kind")),
    });
    return page<BalancePageData>({ ...data, returned, redeemedNanoUsd });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <BalancePage
    view={accountView(state, url)}
    data={data}
    unlimited={state.account.user.spending === "unlimited"}
  />
));

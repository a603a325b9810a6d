import { may } from "../../lib/accounts/mod.ts";
import { withoutName } from "../../lib/console/overview/spend_chart.ts";
import { exportSpending } from "../../lib/console/overview/spend_export.ts";
import { readSpendQuery } from "../../lib/console/overview/spend_query.ts";
import { datedName, download } from "../../lib/console/page/download.ts";
import { defineForAccount } from "../../lib/console/session/state.ts";

/** Exports the overview's whole breakdown as CSV, with the parameters of the overview. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state }) {
    const { services: { store }, account: { user }, catalog, nowMs } = state;
    const query = readSpendQuery(searchParams, state);
    const accountId = query.who === "mine" ? user.id : undefined;
    const isOperator = may(user, "see-all-accounts");
    const rows = exportSpending(store, accountId, {
      ...{ ...query, nowMs, isOperator },
      withoutName: withoutName(query, catalog),
    });
    return download(datedName(`spend-by-${query.tagKey ?? query.dimension}`, nowMs), rows);
  },
});

import { may } from "../../lib/accounts/mod.ts";
import { withoutName } from "../../lib/console/overview/spend_chart.ts";
import { exportSpending } from "../../lib/console/overview/spend_export.ts";
import { readSpendQuery } from "../../lib/console/overview/spend_query.ts";
import { datedName, download } from "../../lib/console/page/download.ts";
import { managedProjectAt, projectTagKeys } from "../../lib/console/projects/project_page.ts";
import { defineForAccount } from "../../lib/console/session/state.ts";

/**
 * Exports the overview's whole breakdown as CSV, with the parameters of the overview, or with
 * `?project=` that of a project's page.
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store }, account: { user }, catalog, nowMs } = state;
    const id = searchParams.get("project");
    const project = id === null ? undefined : await managedProjectAt(id, state);
    const query = readSpendQuery(
      searchParams,
      state,
      project && { id: project.id, tagKeys: await projectTagKeys(store, project.id) },
    );
    const accountId = query.who === "mine" && !project ? user.id : undefined;
    const rows = exportSpending(store, accountId, {
      ...{ ...query, nowMs, isOperator: may(user, "usage:read") },
      withoutName: withoutName(query, catalog),
    });
    return download(datedName(`spend-by-${query.tagKey ?? query.dimension}`, nowMs), rows);
  },
});

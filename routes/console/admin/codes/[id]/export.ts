import { HttpError } from "fresh";
import { download } from "../../../../../lib/console/page/download.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { batchAt } from "../../../../../lib/console/wallet/code_batches.ts";
import { exportBatch } from "../../../../../lib/funds/mod.ts";

/** Exports a batch as CSV: its codes masked, with the uses of each. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const { services: { store }, account } = state;
    const { id } = await batchAt(params.id, state);
    const lines = await exportBatch(store, account.user, id);
    if (lines === undefined || "type" in lines) throw new HttpError(404);
    return download(id, lines);
  },
});

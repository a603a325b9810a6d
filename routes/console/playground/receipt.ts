import { HttpError } from "fresh";
import { readRequestId } from "../../../lib/admin/calls.ts";
import { receiptOf } from "../../../lib/console/playground/playground.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** The outcome of the call `?id=` in words. Calls of other accounts do not exist for the user. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const id = readRequestId(url.searchParams.get("id"));
    const receipt = id && await receiptOf(state, id);
    if (!receipt) throw new HttpError(404);
    return Response.json(receipt);
  },
});

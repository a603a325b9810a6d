import { HttpError } from "fresh";
import { receiptOf } from "../../../lib/console/playground/playground.ts";
import { readRequestId } from "../../../lib/console/calls/request_id.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** What the call `?id=` came to, in words. Another account's is as unknown as one that never was. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const id = readRequestId(url.searchParams.get("id"));
    const receipt = id && await receiptOf(state, id);
    if (!receipt) throw new HttpError(404);
    return Response.json(receipt);
  },
});

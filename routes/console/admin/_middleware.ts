import { HttpError } from "fresh";
import { may } from "../../../lib/accounts/mod.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** To everybody but administrators there is nothing here. */
export default defineForAccount.middleware(async (ctx) => {
  if (!may(ctx.state.account.user, "see-all-accounts")) throw new HttpError(404);
  return await ctx.next();
});

import { HttpError } from "fresh";
import { may } from "../../../lib/accounts/mod.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** Answers 404 to everyone except administrators. */
export default defineForAccount.middleware(async (ctx) => {
  if (!may(ctx.state.account.user, "see-all-accounts")) throw new HttpError(404);
  return await ctx.next();
});

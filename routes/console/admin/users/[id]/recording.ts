import { changeRecording } from "../../../../../lib/console/calls/recordings.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";

/** Starts or stops the recording of requests and answers of all calls of a user. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { id, email } = await userAt(ctx.params.id, ctx.state);
    await changeRecording(ctx, { accountId: id, name: email });
    return seeOther(`/console/admin/users/${id}#recording`);
  },
});

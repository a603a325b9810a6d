import { changeRecording } from "../../../../lib/console/calls/recordings.ts";
import { readableKey } from "../../../../lib/console/keys/own_key.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** Starts or stops the recording of a key's requests and answers. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { id, accountId, name } = await readableKey(ctx.params.id, ctx.state);
    await changeRecording(ctx, { accountId, keyId: id, name });
    return seeOther(`/console/token/${id}#recording`);
  },
});

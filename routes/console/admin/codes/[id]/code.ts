import { HttpError } from "fresh";
import { enableCode } from "../../../../../lib/admin/funds.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { batchAt } from "../../../../../lib/console/wallet/code_batches.ts";

/** Enables or disables one code. Reversible in place, so it needs no confirmation. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const batch = await batchAt(ctx.params.id, ctx.state);
    const form = await readForm(ctx.req);
    const digest = /^[0-9a-f]{64}$/.exec(form.get("digest") ?? "")?.[0] ?? "";
    const enabled = form.get("enabled") === "true";
    if (await enableCode(batch, { digest, enabled }, ctx) === undefined) throw new HttpError(404);
    const action = enabled ? "enabled" : "disabled";
    const page = /^[1-9]\d{0,4}$/.exec(form.get("page") ?? "")?.[0] ?? "1";
    return seeOther(`/console/admin/codes/${batch.id}?done=code-${action}&page=${page}`);
  },
});

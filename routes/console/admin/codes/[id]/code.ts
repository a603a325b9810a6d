import { HttpError } from "fresh";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { batchAt, shownCode } from "../../../../../lib/console/wallet/code_batches.ts";
import { setCodeEnabled } from "../../../../../lib/funds/mod.ts";
import type { RedemptionCode } from "../../../../../lib/store/money/mod.ts";

/** Enables or disables one code. Reversible in place, so it needs no confirmation. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state: { services: { store }, account } } = ctx;
    const batch = await batchAt(params.id, ctx.state);
    const form = await readForm(req);
    const digest = /^[0-9a-f]{64}$/.exec(form.get("digest") ?? "")?.[0] ?? "";
    const enabled = form.get("enabled") === "true";
    const action = enabled ? "enabled" : "disabled";
    const audit = (code: RedemptionCode) => {
      const target = { targetId: code.batchId, targetName: `${shownCode(code)} (${batch.name})` };
      return auditEntry(ctx, { kind: "code", action, ...target });
    };
    const code = await setCodeEnabled(store, account.user, { digest, enabled, audit });
    if (code === undefined || "type" in code) throw new HttpError(404);
    const page = /^[1-9]\d{0,4}$/.exec(form.get("page") ?? "")?.[0] ?? "1";
    return seeOther(`/console/admin/codes/${batch.id}?done=code-${action}&page=${page}`);
  },
});

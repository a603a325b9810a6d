import { passkeyNameMax } from "../../../../../lib/accounts/mod.ts";
import { auditChanges } from "../../../../../lib/admin/audit.ts";
import { accountDone, ownPasskey } from "../../../../../lib/console/account/account_page.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { type Passkey, updatePasskey } from "../../../../../lib/store/users/mod.ts";

/** Renames a passkey; an empty name changes nothing. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { params, state: { services: { store }, account: { user } } } = ctx;
    const { id } = await ownPasskey(params.id, ctx.state);
    const name = ((await readForm(ctx.req)).get("name") ?? "").trim().slice(0, passkeyNameMax);
    const target = { targetId: user.id, targetName: user.email };
    const facts = { kind: "user", action: "changed", ...target } as const;
    const words = (passkey: Passkey) => ({ passkey: passkey.name });
    const change = (passkey: Passkey) => name === "" ? undefined : { ...passkey, name };
    await updatePasskey(store, id, change, { audit: auditChanges(ctx, facts, words) });
    return accountDone("passkey-named");
  },
});

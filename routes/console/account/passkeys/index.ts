import type { Context } from "fresh";
import { registerPasskey, type RegistrationResult } from "../../../../lib/accounts/mod.ts";
import { accountDone } from "../../../../lib/console/account/account_page.ts";
import { browserNames } from "../../../../lib/console/account/browser_words.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/session/state.ts";
import { ownEntry } from "../../../../lib/console/sign_in/own_entry.ts";
import { passkeySite } from "../../../../lib/console/sign_in/passkeys.ts";
import type { Passkey } from "../../../../lib/store/users/mod.ts";

const doneOf = {
  registered: "passkey-added",
  refused: "passkey-refused",
  known: "passkey-known",
  full: "passkey-full",
} as const satisfies Record<RegistrationResult["type"], string>;

/** Stores a passkey that the browser created, named after the browser until the user renames it. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { services: { store }, account: { user }, nowMs } = ctx.state;
    const answer = (await readForm(ctx.req)).get("answer") ?? "";
    const site = passkeySite(ctx);
    if (site === undefined) return accountDone("passkey-refused");
    const audit = ({ name }: Passkey) =>
      ownEntry(ctx, user, { action: "changed", changes: [{ field: "passkey", after: name }] });
    const entered = { answer, name: firstName(ctx), audit };
    const result = await registerPasskey({ store, site, nowMs }, user, entered);
    return accountDone(doneOf[result.type]);
  },
});

function firstName({ req, state: { catalog } }: Context<AccountState>): string {
  const { browser, system } = browserNames(req.headers.get("user-agent") ?? undefined);
  const { sessions, passkeys } = catalog.security;
  return browser && system ? sessions.on(browser, system) : system ?? browser ?? passkeys.unnamed;
}

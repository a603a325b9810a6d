import { page } from "fresh";
import { AccountQuestion } from "../../../../../components/account/AccountQuestion.tsx";
import { accountDone } from "../../../../../lib/console/account/account_page.ts";
import { ownEntry } from "../../../../../lib/console/sign_in/own_entry.ts";
import { ownPasskey } from "../../../../../lib/console/account/own_passkey.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { deletePasskey } from "../../../../../lib/store/users/mod.ts";

/** Removes a passkey after confirmation. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const { name } = await ownPasskey(params.id, state);
    return page({ name: name || state.catalog.security.passkeys.unnamed });
  },

  async POST(ctx) {
    const { params, state: { services: { store }, account: { user } } } = ctx;
    const passkey = await ownPasskey(params.id, ctx.state);
    const changes = [{ field: "passkey", before: passkey.name }];
    const audit = ownEntry(ctx, user, { action: "changed", changes });
    await deletePasskey(store, passkey, { audit });
    return accountDone("passkey-removed");
  },
});

export default defineForAccount.page<typeof handler>(({ data: { name }, state, url }) => {
  const view = accountView(state, url);
  const { passkeys: texts } = view.catalog.security;
  return (
    <AccountQuestion
      view={view}
      title={texts.removeTitle(name)}
      text={texts.removeText}
      confirm={texts.removeConfirm(name)}
    />
  );
});

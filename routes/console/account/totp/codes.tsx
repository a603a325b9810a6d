import { HttpError, page } from "fresh";
import { AccountQuestion } from "../../../../components/account/AccountQuestion.tsx";
import { renewRecoveryCodes } from "../../../../lib/accounts/mod.ts";
import { showCodes } from "../../../../lib/console/account/shown_codes.ts";
import { ownEntry } from "../../../../lib/console/sign_in/own_entry.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { getTotp } from "../../../../lib/store/users/mod.ts";

/** Creates new recovery codes; the next page shows them once. */
export const handler = defineForAccount.handlers({
  async GET({ state: { services: { store }, account: { user } } }) {
    if (!await getTotp(store, user.id)) throw new HttpError(404);
    return page({});
  },

  async POST(ctx) {
    const { services: { store }, account: { user } } = ctx.state;
    const changes = [{ field: "recoveryCodes", after: "renewed" }];
    const audit = ownEntry(ctx, user, { action: "changed", changes });
    const codes = await renewRecoveryCodes(store, user.id, { audit });
    if (codes === undefined) throw new HttpError(404);
    return await showCodes(codes, ctx.state);
  },
});

export default defineForAccount.page<typeof handler>(({ state, url }) => {
  const view = accountView(state, url);
  const { secondStep: texts } = view.catalog.security;
  return (
    <AccountQuestion
      view={view}
      title={texts.renewTitle}
      text={texts.renewText}
      confirm={texts.renewConfirm}
    />
  );
});

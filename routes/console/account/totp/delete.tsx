import { HttpError, page } from "fresh";
import { AccountQuestion } from "../../../../components/account/AccountQuestion.tsx";
import { accountDone } from "../../../../lib/console/account/account_page.ts";
import { ownEntry } from "../../../../lib/console/sign_in/own_entry.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { deleteTotp, getTotp } from "../../../../lib/store/users/mod.ts";

/** Turns two-step sign-in off after confirmation. */
export const handler = defineForAccount.handlers({
  async GET({ state: { services: { store }, account: { user } } }) {
    if (!await getTotp(store, user.id)) throw new HttpError(404);
    return page({});
  },

  async POST(ctx) {
    const { services: { store }, account: { user } } = ctx.state;
    const changes = [{ field: "secondStep", before: "on", after: "off" }];
    await deleteTotp(store, user.id, {
      audit: ownEntry(ctx, user, { action: "changed", changes }),
    });
    return accountDone("second-step-off");
  },
});

export default defineForAccount.page<typeof handler>(({ state, url }) => {
  const view = accountView(state, url);
  const { secondStep: texts } = view.catalog.security;
  return (
    <AccountQuestion
      view={view}
      title={texts.offTitle}
      text={texts.offText}
      confirm={texts.offConfirm}
    />
  );
});

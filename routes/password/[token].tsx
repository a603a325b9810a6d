import { ChoosePassword } from "../../components/sign_in/ChoosePassword.tsx";
import { maySignInLocally, openPasswordLink, redeemPasswordLink } from "../../lib/accounts/mod.ts";
import { seeOther } from "../../lib/console/page/address.ts";
import { define } from "../../lib/console/session/state.ts";
import { ownEntry } from "../../lib/console/sign_in/own_entry.ts";
import { definePasswordLink } from "../../lib/console/sign_in/password_form.ts";
import type { User } from "../../lib/store/users/mod.ts";

/** Sets the password of the account that the link was created for, and signs in. */
export const handler = definePasswordLink({
  async open({ services: { store, localSignIn }, nowMs }, token) {
    const user = await openPasswordLink(store, token, nowMs);
    return user && maySignInLocally(user, localSignIn) ? user : undefined;
  },

  async redeem(ctx, entered) {
    const { services, nowMs } = ctx.state;
    const changes = [{ field: "password", after: "changed" }];
    const audit = (user: User) => ownEntry(ctx, user, { action: "changed", changes });
    const saved = await redeemPasswordLink({ ...services, nowMs }, { ...entered, audit });
    return saved && seeOther("/login?password-set");
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { setup, security: { passwordLink: texts } } = state.catalog;
  const about = { data, texts, label: setup.password, back: url.pathname };
  return <ChoosePassword view={state} {...about} />;
});

import { ChoosePassword } from "../../components/sign_in/ChoosePassword.tsx";
import TimeZone from "../../islands/TimeZone.tsx";
import { acceptInvitation, openInvitation, signedInAs } from "../../lib/accounts/mod.ts";
import { define } from "../../lib/console/session/state.ts";
import { ownEntry } from "../../lib/console/sign_in/own_entry.ts";
import { definePasswordLink } from "../../lib/console/sign_in/password_link.ts";
import { signedIn } from "../../lib/console/sign_in/sign_in_answer.ts";
import { signInFrom } from "../../lib/console/sign_in/sign_in_from.ts";
import type { User } from "../../lib/store/users/mod.ts";

/** Creates an account from an invitation link; the holder chooses the password. */
export const handler = definePasswordLink({
  /** Closed sign-up disables invitations too, and so does sign-in at providers alone. */
  async open({ services: { store, localSignIn }, settings, nowMs }, token) {
    if (settings.signUp === "closed" || localSignIn === "owner") return undefined;
    return await openInvitation(store, token, nowMs);
  },

  async redeem(ctx, entered) {
    const { services, nowMs } = ctx.state;
    const audit = (joined: User) => {
      const changes = [{ field: "role", after: joined.role }];
      return ownEntry(ctx, joined, { action: "joined", changes });
    };
    const user = await acceptInvitation({ ...services, nowMs }, { ...entered, audit });
    if (!user) return undefined;
    const started = await signedInAs({ ...services, nowMs }, user, signInFrom(ctx));
    return signedIn(ctx.url, "/console", started);
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { invitation: texts } = state.catalog;
  const about = { data, texts, label: texts.password, back: url.pathname };
  return (
    <ChoosePassword view={state} {...about}>
      <TimeZone />
    </ChoosePassword>
  );
});

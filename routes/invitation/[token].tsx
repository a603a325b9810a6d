import type { Context } from "fresh";
import { ChoosePassword } from "../../components/sign_in/ChoosePassword.tsx";
import TimeZone from "../../islands/TimeZone.tsx";
import { acceptInvitation, openInvitation, signedInAs } from "../../lib/accounts/mod.ts";
import { seeOther } from "../../lib/console/page/address.ts";
import { type ConsoleState, define } from "../../lib/console/session/state.ts";
import { ownEntry } from "../../lib/console/sign_in/own_entry.ts";
import { definePasswordLink } from "../../lib/console/sign_in/password_form.ts";
import { signedIn, signInFrom } from "../../lib/console/sign_in/sign_in_answer.ts";
import type { User } from "../../lib/store/users/mod.ts";

const withPassword = definePasswordLink({
  /** Closed sign-up disables invitations too. */
  async open({ services: { store }, settings, nowMs }, token) {
    if (settings.signUp === "closed") return undefined;
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

/**
 * Creates an account from an invitation link; the holder chooses the password. Without passwords,
 * the invitation counts for the holder's e-mail address at a provider.
 */
export const handler = define.handlers({
  GET: async (ctx) => isAtProvider(ctx) ? seeOther("/login") : await withPassword.GET(ctx),
  POST: async (ctx) => isAtProvider(ctx) ? seeOther("/login") : await withPassword.POST(ctx),
});

function isAtProvider({ state: { services } }: Pick<Context<ConsoleState>, "state">): boolean {
  return services.localSignIn === "owner";
}

export default define.page<typeof handler>(({ data, state, url }) => {
  const { invitation: texts } = state.catalog;
  const about = { data, texts, label: texts.password, back: url.pathname };
  return (
    <ChoosePassword view={state} {...about}>
      <TimeZone />
    </ChoosePassword>
  );
});

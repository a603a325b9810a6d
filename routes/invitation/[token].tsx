import { page } from "fresh";
import { ChoosePassword } from "../../components/sign_in/ChoosePassword.tsx";
import { NothingHere } from "../../components/layout/NothingHere.tsx";
import TimeZone from "../../islands/TimeZone.tsx";
import { acceptInvitation, openInvitation, signedInAs } from "../../lib/accounts/mod.ts";
import { readForm } from "../../lib/console/page/form_body.ts";
import { ownEntry } from "../../lib/console/sign_in/own_entry.ts";
import { setupFaults } from "../../lib/console/sign_in/setup_form.ts";
import { signedIn } from "../../lib/console/sign_in/sign_in_answer.ts";
import { signInFrom } from "../../lib/console/sign_in/sign_in_from.ts";
import { type ConsoleState, define } from "../../lib/console/session/state.ts";
import type { User } from "../../lib/store/users/mod.ts";

type InvitationData =
  | { readonly type: "form"; readonly email: string; readonly fault?: string }
  | { readonly type: "gone" };

const gone = () => page<InvitationData>({ type: "gone" }, { status: 410 });

/** Creates an account from an invitation link; the holder chooses the password. */
export const handler = define.handlers({
  async GET({ state, params: { token } }) {
    const invitation = await opened(token, state);
    return invitation ? page<InvitationData>({ type: "form", email: invitation.email }) : gone();
  },

  async POST(ctx) {
    const { state: { services, catalog, nowMs }, params: { token }, url } = ctx;
    const invitation = await opened(token, ctx.state);
    if (!invitation) return gone();
    const { email } = invitation;
    const password = (await readForm(ctx.req)).get("password") ?? "";
    const { password: fault } = setupFaults({ email, password }, catalog);
    if (fault) return page<InvitationData>({ type: "form", email, fault }, { status: 422 });
    const audit = (joined: User) => {
      const changes = [{ field: "role", after: joined.role }];
      return ownEntry(ctx, joined, { action: "joined", changes });
    };
    const user = await acceptInvitation({ ...services, nowMs }, { token, password, audit });
    if (!user) return gone();
    const started = await signedInAs({ ...services, nowMs }, user, signInFrom(ctx));
    return signedIn(url, "/console", started);
  },
});

/**
 * Returns undefined if the link is invalid, or sign-up is closed: that disables invitations too.
 */
async function opened(token: string, { services, settings, nowMs }: ConsoleState) {
  if (settings.signUp === "closed") return undefined;
  return await openInvitation(services.store, token, nowMs);
}

export default define.page<typeof handler>(({ data, state, url }) => {
  const { invitation: texts } = state.catalog;
  return data.type === "gone"
    ? (
      <NothingHere
        view={state}
        title={texts.goneTitle}
        text={texts.goneText}
        back={url.pathname}
      />
    )
    : (
      <ChoosePassword
        view={state}
        texts={texts}
        label={texts.password}
        email={data.email}
        fault={data.fault}
        back={url.pathname}
      >
        <TimeZone />
      </ChoosePassword>
    );
});

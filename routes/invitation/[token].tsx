import { page } from "fresh";
import { BarePage } from "../../components/BarePage.tsx";
import { FormAlert } from "../../components/Field.tsx";
import { NothingHere } from "../../components/NothingHere.tsx";
import { PasswordField } from "../../components/PasswordField.tsx";
import TimeZone from "../../islands/TimeZone.tsx";
import { acceptInvitation, openInvitation, signedInAs } from "../../lib/accounts/mod.ts";
import { readForm } from "../../lib/console/form_body.ts";
import { addressOf } from "../../lib/console/request_state.ts";
import { setupFaults } from "../../lib/console/setup_form.ts";
import { signedIn } from "../../lib/console/sign_in_answer.ts";
import { signInFrom } from "../../lib/console/sign_in_from.ts";
import { type ConsoleState, define } from "../../lib/console/state.ts";
import type { AuditDraft, User } from "../../lib/store/mod.ts";

type InvitationData =
  | { readonly type: "form"; readonly email: string; readonly fault?: string }
  | { readonly type: "gone" };

const gone = () => page<InvitationData>({ type: "gone" }, { status: 410 });

/** Whoever has the link chooses a password, and has an account. */
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
    const ip = addressOf(ctx);
    const audit = (joined: User) => joinedEntry(joined, nowMs, ip);
    const user = await acceptInvitation({ ...services, nowMs }, { token, password, audit });
    if (!user) return gone();
    const started = await signedInAs({ ...services, nowMs }, user, signInFrom(ctx));
    return signedIn(url, "/console", started);
  },
});

/** Where nobody may make an account, no invitation does either. */
async function opened(token: string, { services, settings, nowMs }: ConsoleState) {
  if (settings.signUp === "closed") return undefined;
  return await openInvitation(services.store, token, nowMs);
}

function joinedEntry({ id, email, role }: User, atMs: number, ip: string | undefined): AuditDraft {
  return {
    kind: "user",
    action: "joined",
    atMs,
    actorId: id,
    actorName: email,
    targetId: id,
    targetName: email,
    changes: [{ field: "role", after: role }],
    ...(ip !== undefined && { ip }),
  };
}

export default define.page<typeof handler>(({ data, state, url }) => {
  const { invitation: texts, setup, form } = state.catalog;
  if (data.type === "gone") {
    return (
      <NothingHere
        view={state}
        title={texts.goneTitle}
        text={texts.goneText}
        back={url.pathname}
      />
    );
  }
  return (
    <BarePage view={state} title={texts.title} back={url.pathname}>
      <h1>{texts.title}</h1>
      <p class="soft">{texts.intro(data.email)}</p>
      {data.fault && <FormAlert>{form.problem}</FormAlert>}
      <form class="fields" method="post" noValidate>
        <input type="hidden" name="username" autocomplete="username" value={data.email} />
        <PasswordField label={texts.password} hint={setup.passwordHint} fault={data.fault} chosen />
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
      <TimeZone />
    </BarePage>
  );
});

import { page } from "fresh";
import { ChoosePassword } from "../../components/sign_in/ChoosePassword.tsx";
import { NothingHere } from "../../components/layout/NothingHere.tsx";
import { openPasswordLink, redeemPasswordLink } from "../../lib/accounts/mod.ts";
import { readForm } from "../../lib/console/page/form_body.ts";
import { ownEntry } from "../../lib/console/sign_in/own_entry.ts";
import { setupFaults } from "../../lib/console/sign_in/setup_form.ts";
import { define } from "../../lib/console/session/state.ts";
import type { User } from "../../lib/store/users/mod.ts";

type PasswordData =
  | { readonly type: "form"; readonly email: string; readonly fault?: string }
  | { readonly type: "gone" };

const gone = () => page<PasswordData>({ type: "gone" }, { status: 410 });

/** Sets the password of the account that the link was created for, and signs in. */
export const handler = define.handlers({
  async GET({ state: { services, nowMs }, params }) {
    const user = await openPasswordLink(services.store, params.token, nowMs);
    return user ? page<PasswordData>({ type: "form", email: user.email }) : gone();
  },

  async POST(ctx) {
    const { state: { services, catalog, nowMs }, params: { token } } = ctx;
    const user = await openPasswordLink(services.store, token, nowMs);
    if (!user) return gone();
    const { email } = user;
    const password = (await readForm(ctx.req)).get("password") ?? "";
    const { password: fault } = setupFaults({ email, password }, catalog);
    if (fault) return page<PasswordData>({ type: "form", email, fault }, { status: 422 });
    const changes = [{ field: "password", after: "changed" }];
    const audit = (one: User) => ownEntry(ctx, one, { action: "changed", changes });
    const saved = await redeemPasswordLink({ ...services, nowMs }, { token, password, audit });
    if (!saved) return gone();
    return new Response(null, { status: 303, headers: { location: "/login?password-set" } });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { setup, security: { passwordLink: texts } } = state.catalog;
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
        label={setup.password}
        email={data.email}
        fault={data.fault}
        back={url.pathname}
      />
    );
});

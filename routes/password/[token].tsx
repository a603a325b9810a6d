import { page } from "fresh";
import { BarePage } from "../../components/BarePage.tsx";
import { FormAlert } from "../../components/Field.tsx";
import { NothingHere } from "../../components/NothingHere.tsx";
import { PasswordField } from "../../components/PasswordField.tsx";
import { openPasswordLink, redeemPasswordLink } from "../../lib/accounts/mod.ts";
import { readForm } from "../../lib/console/form_body.ts";
import { ownEntry } from "../../lib/console/own_entry.ts";
import { setupFaults } from "../../lib/console/setup_form.ts";
import { define } from "../../lib/console/state.ts";
import type { User } from "../../lib/store/mod.ts";

type PasswordData =
  | { readonly type: "form"; readonly email: string; readonly fault?: string }
  | { readonly type: "gone" };

const gone = () => page<PasswordData>({ type: "gone" }, { status: 410 });

/** Whoever has the link sets the password of the one account that it was made for, and signs in with it. */
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
  const { setup, form, security: { passwordLink: texts } } = state.catalog;
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
        <PasswordField
          label={setup.password}
          hint={setup.passwordHint}
          fault={data.fault}
          chosen
        />
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
    </BarePage>
  );
});

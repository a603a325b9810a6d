import { page } from "fresh";
import { BarePage } from "../../components/BarePage.tsx";
import { described, Field, FormAlert } from "../../components/Field.tsx";
import TimeZone from "../../islands/TimeZone.tsx";
import { redeemSetup, setupLinkHolds, signedInAs } from "../../lib/accounts/mod.ts";
import { readForm } from "../../lib/console/form_body.ts";
import { ownEntry } from "../../lib/console/own_entry.ts";
import { type SetupFaults, setupFaults } from "../../lib/console/setup_form.ts";
import { signedIn } from "../../lib/console/sign_in_answer.ts";
import { signInFrom } from "../../lib/console/sign_in_from.ts";
import { define } from "../../lib/console/state.ts";
import type { User } from "../../lib/store/mod.ts";

type SetupData =
  | { readonly type: "form"; readonly email?: string; readonly faults: SetupFaults }
  | { readonly type: "gone" };

const gone = () => page<SetupData>({ type: "gone" }, { status: 410 });

export const handler = define.handlers({
  async GET({ state: { services, nowMs }, params }) {
    if (!await setupLinkHolds(services.store, params.token, nowMs)) return gone();
    return page<SetupData>({ type: "form", faults: {} });
  },

  async POST(ctx) {
    const { state: { services, catalog, nowMs }, params, url } = ctx;
    const form = await readForm(ctx.req);
    const entered = { email: form.get("email") ?? "", password: form.get("password") ?? "" };
    const faults = setupFaults(entered, catalog);
    if (Object.keys(faults).length > 0) {
      return page<SetupData>({ type: "form", email: entered.email.slice(0, 300), faults }, {
        status: 422,
      });
    }
    const changes = [{ field: "role", after: "administrator" }];
    const audit = (user: User) => ownEntry(ctx, user, { action: "joined", changes });
    const { token } = params;
    const result = await redeemSetup({ ...services, nowMs }, { token, ...entered, audit });
    if (result.type !== "created") return gone();
    const started = await signedInAs({ ...services, nowMs }, result.user, signInFrom(ctx));
    return signedIn(url, "/console/welcome", started);
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { setup: texts, form } = state.catalog;
  if (data.type === "gone") {
    return (
      <BarePage view={state} title={texts.goneTitle} back={url.pathname}>
        <h1>{texts.goneTitle}</h1>
        <p>{texts.goneText}</p>
        <a class="button primary" href="/login">{texts.goneAction}</a>
      </BarePage>
    );
  }
  const email = { id: "email", fault: data.faults.email };
  const password = { id: "password", hint: texts.passwordHint, fault: data.faults.password };
  return (
    <BarePage view={state} title={texts.title} back={url.pathname}>
      <h1>{texts.title}</h1>
      <p class="soft">{texts.intro}</p>
      {(email.fault || password.fault) && <FormAlert>{form.problem}</FormAlert>}
      <form class="fields" method="post" noValidate>
        <Field {...email} label={texts.email}>
          <input
            {...described(email)}
            class="input"
            type="email"
            name="email"
            autocomplete="username"
            required
            value={data.email}
          />
        </Field>
        <Field {...password} label={texts.password}>
          <input
            {...described(password)}
            class="input"
            type="password"
            name="password"
            autocomplete="new-password"
            minLength={12}
            required
          />
        </Field>
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
      <TimeZone />
    </BarePage>
  );
});

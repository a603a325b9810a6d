import { page } from "fresh";
import { FormAlert } from "../../components/controls.tsx";
import { NothingHere } from "../../components/layout/FailurePage.tsx";
import { FirstStepsPage } from "../../components/overview/FirstSteps.tsx";
import { EmailField, PasswordField } from "../../components/sign_in/fields.tsx";
import TimeZone from "../../islands/TimeZone.tsx";
import { redeemSetup, setupLinkHolds, signedInAs } from "../../lib/accounts/mod.ts";
import { stepsPath } from "../../lib/console/overview/first_steps.ts";
import { readForm } from "../../lib/console/page/form.ts";
import { define } from "../../lib/console/session/state.ts";
import { ownEntry } from "../../lib/console/sign_in/own_entry.ts";
import { type SetupFaults, setupFaults } from "../../lib/console/sign_in/password_form.ts";
import { signedIn, signInFrom } from "../../lib/console/sign_in/sign_in_answer.ts";
import type { User } from "../../lib/store/users/mod.ts";

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
    return signedIn(url, stepsPath(), started);
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { setup: texts, form } = state.catalog;
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
  const { email, faults } = data;
  return (
    <FirstStepsPage
      view={state}
      back={url.pathname}
      done={{ account: false, provider: false, call: false }}
      lines={{}}
    >
      {(faults.email || faults.password) && <FormAlert>{form.problem}</FormAlert>}
      <form class="fields" method="post" noValidate>
        <EmailField label={texts.email} fault={faults.email} value={email} />
        <PasswordField
          label={texts.password}
          hint={texts.passwordHint}
          fault={faults.password}
          chosen
        />
        <div>
          <button class="button primary" type="submit">{texts.submit}</button>
        </div>
      </form>
      <TimeZone />
    </FirstStepsPage>
  );
});

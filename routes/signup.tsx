import { page } from "fresh";
import { A } from "../components/A.tsx";
import { FormAlert } from "../components/controls.tsx";
import { BarePage, Contact } from "../components/layout/BarePage.tsx";
import { NothingHere } from "../components/layout/FailurePage.tsx";
import { EmailField, PasswordField } from "../components/sign_in/fields.tsx";
import TimeZone from "../islands/TimeZone.tsx";
import { signedInAs, signUp } from "../lib/accounts/mod.ts";
import { readForm } from "../lib/console/page/form.ts";
import { type ConsoleState, define } from "../lib/console/session/state.ts";
import { ownEntry } from "../lib/console/sign_in/own_entry.ts";
import { type SetupFaults, setupFaults } from "../lib/console/sign_in/password_form.ts";
import {
  attempted,
  failureAnswer,
  signedIn,
  signInFrom,
} from "../lib/console/sign_in/sign_in_answer.ts";

type SignUpData =
  | {
    readonly type: "form";
    readonly email?: string;
    readonly faults: SetupFaults;
    readonly problem?: string;
  }
  | { readonly type: "closed" };

/** Passwords must be open to everyone, too. */
function isOpen({ settings, services }: ConsoleState): boolean {
  return settings.signUp === "open" && services.localSignIn === "everyone";
}

const closed = () => page<SignUpData>({ type: "closed" }, { status: 404 });

/** Creates an account, if an administrator has opened sign-up. */
export const handler = define.handlers({
  GET({ state }) {
    return isOpen(state) ? page<SignUpData>({ type: "form", faults: {} }) : closed();
  },

  async POST(ctx) {
    const { state: { services, settings, catalog, nowMs }, url } = ctx;
    if (!isOpen(ctx.state)) return closed();
    const form = await readForm(ctx.req);
    const entered = { email: form.get("email") ?? "", password: form.get("password") ?? "" };
    const email = entered.email.slice(0, 300);
    const faults = setupFaults(entered, catalog);
    if (Object.keys(faults).length > 0) {
      const { problem } = catalog.form;
      return page<SignUpData>({ type: "form", email, faults, problem }, { status: 422 });
    }
    const from = signInFrom(ctx);
    const changes = [{ field: "role", after: "member" }];
    const result = await attempted(() =>
      signUp({ ...services, nowMs }, { ...entered, ip: from.ip }, {
        settings,
        providers: services.config.signIn?.providers,
        audit: (user) => ownEntry(ctx, user, { action: "joined", changes }),
      })
    );
    if (result.type === "joined") {
      return signedIn(url, "/console", await signedInAs({ ...services, nowMs }, result.user, from));
    }
    const failure = result.type === "wait" || result.type === "busy"
      ? result
      : { type: "refused" } as const;
    const { problem, init } = failureAnswer(failure, catalog, catalog.security.signUp.refused);
    const status = init.status === 401 ? 422 : init.status;
    return page<SignUpData>({ type: "form", email, faults: {}, problem }, { ...init, status });
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { setup, security: { signUp: texts } } = state.catalog;
  if (data.type === "closed") {
    return (
      <NothingHere
        view={state}
        title={texts.closedTitle}
        text={texts.closedText}
        back="/signup"
      >
        <Contact view={state} />
      </NothingHere>
    );
  }
  const { email, faults, problem } = data;
  const { signUpDomains: domains } = state.settings;
  const hint = domains.length > 0 ? texts.domains(domains.join(", ")) : undefined;
  return (
    <BarePage view={state} title={texts.title} back="/signup">
      <h1>{texts.title}</h1>
      <p class="soft">{texts.intro}</p>
      {problem && <FormAlert>{problem}</FormAlert>}
      <form class="fields" method="post" action="/signup" noValidate>
        <EmailField label={setup.email} hint={hint} fault={faults.email} value={email} />
        <PasswordField
          label={setup.password}
          hint={setup.passwordHint}
          fault={faults.password}
          chosen
        />
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
      <p class="soft">
        {texts.haveAccount} <A class="link" href="/login">{texts.signIn}</A>
      </p>
      <TimeZone />
    </BarePage>
  );
});

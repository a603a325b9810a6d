import { type Context, page } from "fresh";
import { A } from "../components/A.tsx";
import { FormAlert } from "../components/controls.tsx";
import { BarePage, Contact } from "../components/layout/BarePage.tsx";
import { EmailField, PasswordField } from "../components/sign_in/fields.tsx";
import { ProviderLinks } from "../components/sign_in/providers.tsx";
import Notice from "../islands/Notice.tsx";
import PasskeyButton from "../islands/PasskeyButton.tsx";
import TimeZone from "../islands/TimeZone.tsx";
import { assertionOptions, isToBeSetUp, signIn } from "../lib/accounts/mod.ts";
import { localPath, seeOther } from "../lib/console/page/address.ts";
import { readForm } from "../lib/console/page/form.ts";
import type { View } from "../lib/console/page/view.ts";
import { pendingCookie } from "../lib/console/session/cookies.ts";
import { type ConsoleState, define } from "../lib/console/session/state.ts";
import { type PasskeyRequest, passkeySite } from "../lib/console/sign_in/passkeys.ts";
import {
  attempted,
  failureAnswer,
  signedIn,
  signInFrom,
} from "../lib/console/sign_in/sign_in_answer.ts";
import { ssoProblem } from "../lib/console/sign_in/sso.ts";

interface LoginData {
  readonly next: string;
  /** True if the page has the form for a password. */
  readonly local: boolean;
  /** Absent if passkeys are not available. */
  readonly passkey?: PasskeyRequest;
  readonly email?: string;
  readonly problem?: string;
  readonly notice?: string;
}

export const handler = define.handlers({
  async GET(ctx) {
    const { state: { account, services }, url } = ctx;
    const next = localPath(url.searchParams.get("next"), "/console");
    if (account) return seeOther(next);
    const problem = problemOf(url, ctx.state);
    const notice = problem === undefined ? await noticeOf(url, ctx.state) : undefined;
    const local = services.localSignIn === "everyone" || url.searchParams.has("local");
    const passkey = local ? await passkeyRequest(ctx) : undefined;
    return page<LoginData>({ next, local, problem, notice, passkey });
  },

  async POST(ctx) {
    const { state: { catalog, services, nowMs }, url } = ctx;
    const form = await readForm(ctx.req);
    const next = localPath(form.get("next"), "/console");
    const email = form.get("email") ?? "";
    const entered = { email, password: form.get("password") ?? "", ...signInFrom(ctx) };
    const result = await attempted(() => signIn({ ...services, nowMs }, entered));
    if (result.type === "signed-in") return signedIn(url, next, result);
    if (result.type === "second-step") return askForCode(url, next, result.pending);
    const { problem, init } = failureAnswer(result, catalog, catalog.signIn.refused);
    const passkey = await passkeyRequest(ctx);
    const entry = { local: true, email: email.slice(0, 300) };
    return page<LoginData>({ next, passkey, ...entry, problem }, init);
  },
});

function askForCode(url: URL, next: string, pending: string): Response {
  const headers = new Headers();
  pendingCookie.write(headers, url, pending);
  return seeOther(`/login/code?${new URLSearchParams({ next })}`, headers);
}

async function passkeyRequest(ctx: Context<ConsoleState>): Promise<PasskeyRequest | undefined> {
  const site = passkeySite(ctx);
  if (site === undefined) return undefined;
  const { services: { store }, nowMs } = ctx.state;
  return { type: "get", options: await assertionOptions({ store, site, nowMs }) };
}

function problemOf(url: URL, state: ConsoleState): string | undefined {
  const { signIn: texts } = state.catalog.security;
  if (url.searchParams.has("passkey-refused")) return texts.passkeyRefused;
  return url.searchParams.has("code-gone") ? texts.codeGone : ssoProblem(url, state);
}

async function noticeOf(
  { searchParams }: URL,
  { catalog, services: { store } }: ConsoleState,
): Promise<string | undefined> {
  if (searchParams.has("signed-out")) return catalog.signIn.signedOut;
  if (searchParams.has("password-set")) return catalog.security.signIn.passwordSet;
  return await isToBeSetUp(store) ? catalog.signIn.notSetUp : undefined;
}

export default define.page<typeof handler>(({ data, state }) => {
  const { signIn: texts, security: { signIn: more, confirm } } = state.catalog;
  const { next, local } = data;
  const { sso: { providers }, localSignIn } = state.services;
  return (
    <BarePage view={state} title={texts.title} back={backOf(data, localSignIn)}>
      <h1>{texts.title}</h1>
      {data.problem && <FormAlert>{data.problem}</FormAlert>}
      {data.problem && <Contact view={state} />}
      {data.notice && <Notice text={data.notice} />}
      {local && <LocalSignIn view={state} data={data} />}
      <ProviderLinks
        view={state}
        providers={providers}
        next={next}
        lead={local ? confirm.or : undefined}
      />
      {!local && <A class="link" href="/login?local">{state.catalog.security.sso.ownerSignIn}</A>}
      {state.settings.signUp === "open" && localSignIn === "everyone" && (
        <p class="soft">
          {more.noAccount} <A class="link" href="/signup">{more.signUp}</A>
        </p>
      )}
      {state.settings.publicPricing && (
        <A class="link" href="/pricing">{state.catalog.settings.toPricing}</A>
      )}
      <TimeZone />
    </BarePage>
  );
});

/** The address to return to after a change of theme or language. */
function backOf({ next, local }: LoginData, localSignIn: "everyone" | "owner"): string {
  const fields = new URLSearchParams();
  if (local && localSignIn === "owner") fields.set("local", "");
  if (next !== "/console") fields.set("next", next);
  return fields.size === 0 ? "/login" : `/login?${fields}`;
}

/** Signs in by password or passkey. */
function LocalSignIn({ view, data }: { view: View; data: LoginData }) {
  const { signIn: texts, security: { signIn: more, confirm } } = view.catalog;
  return (
    <>
      <form class="fields" method="post" action="/login">
        <input type="hidden" name="next" value={data.next} />
        <EmailField label={texts.email} autocomplete="username webauthn" value={data.email} />
        <PasswordField label={texts.password} />
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
      {data.passkey && (
        <PasskeyButton
          request={data.passkey}
          action="/login/passkey"
          fields={{ next: data.next }}
          lead={confirm.or}
          label={more.passkey}
          failed={more.passkeyFailed}
          conditional
        />
      )}
    </>
  );
}

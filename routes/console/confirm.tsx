import { type Context, page } from "fresh";
import { A } from "../../components/A.tsx";
import { More } from "../../components/Panel.tsx";
import { FormAlert } from "../../components/controls.tsx";
import { BarePage } from "../../components/layout/BarePage.tsx";
import { CodeField, HiddenFields, PasswordField } from "../../components/sign_in/fields.tsx";
import { ProviderForms } from "../../components/sign_in/providers.tsx";
import PasskeyButton from "../../islands/PasskeyButton.tsx";
import { isProved } from "../../lib/accounts/mod.ts";
import { localPath, seeOther } from "../../lib/console/page/address.ts";
import { readForm } from "../../lib/console/page/form.ts";
import type { View } from "../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../lib/console/session/state.ts";
import {
  confirmPath,
  type ProofWays,
  proofWays,
  takeProof,
} from "../../lib/console/sign_in/proof_form.ts";
import { attempted, failureAnswer } from "../../lib/console/sign_in/sign_in_answer.ts";
import { ssoProblem } from "../../lib/console/sign_in/sso.ts";
import { isDangerous } from "../../lib/console/sign_in/step_up.ts";

interface ConfirmData {
  /** The URL to continue to. */
  readonly next: string;
  /** The reference to the form held for that URL; absent if there is none. */
  readonly held?: string;
  readonly ways: ProofWays;
  /** True if a provider has just confirmed the user, so that only the held form is left. */
  readonly proved: boolean;
  readonly problem?: string;
}

/** Asks the user to sign in again before a dangerous action, then continues with it. */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const data = await dataOf(ctx, ctx.url.searchParams);
    if (data.proved && data.held === undefined) return seeOther(data.next);
    return page<ConfirmData>({ ...data, problem: ssoProblem(ctx.url, ctx.state) });
  },

  async POST(ctx) {
    const { catalog } = ctx.state;
    const form = await readForm(ctx.req);
    const data = await dataOf(ctx, form);
    if (data.proved) return goOn(data);
    const result = await attempted(() => takeProof(ctx, form));
    if (result.type === "proved") return goOn(data);
    const { problem, init } = failureAnswer(result, catalog, catalog.security.confirm.refused);
    return page<ConfirmData>({ ...data, problem }, init);
  },
});

async function dataOf(
  ctx: Context<AccountState>,
  fields: URLSearchParams,
): Promise<ConfirmData> {
  const held = fields.get("held")?.slice(0, 100);
  return {
    next: localPath(fields.get("next"), "/console"),
    ways: await proofWays(ctx),
    proved: fields.has("proved") && isProved(ctx.state.account.session, ctx.state.nowMs),
    ...(held !== undefined && { held }),
  };
}

/**
 * Continues with 307 only if a form is held for a dangerous action: the browser re-posts this form
 * there, and the held one replaces it. Anywhere else the endpoint would read this form itself, so a
 * crafted link could post it.
 */
function goOn({ next, held }: ConfirmData): Response {
  const { pathname } = new URL(next, "http://localhost");
  const isHeld = held !== undefined && isDangerous("POST", pathname);
  return new Response(null, { status: isHeld ? 307 : 303, headers: { location: next } });
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const { confirm: texts, cancel } = state.catalog.security;
  const { next, held, ways, proved, problem } = data;
  const fields = { next, ...(held !== undefined && { held }) };
  const back = confirmPath(fields);
  if (proved) return <Proved view={state} back={back} fields={fields} />;
  return (
    <BarePage view={state} title={texts.title} back={back}>
      <h1>{texts.title}</h1>
      {problem && <FormAlert>{problem}</FormAlert>}
      <p class="soft">
        {texts.text} {held !== undefined && texts.held}
      </p>
      {ways.password && <ProofForm fields={fields} texts={texts} by="password" />}
      {ways.code && (ways.password
        ? (
          <More title={texts.codeInstead}>
            <ProofForm fields={fields} texts={texts} by="code" quiet />
          </More>
        )
        : <ProofForm fields={fields} texts={texts} by="code" />)}
      {ways.passkey && (
        <PasskeyButton
          request={ways.passkey}
          action={url.pathname}
          fields={fields}
          lead={ways.password || ways.code ? texts.or : undefined}
          label={texts.passkey}
          failed={texts.passkeyFailed}
        />
      )}
      <ProviderForms
        providers={ways.providers}
        action="/console/confirm/sso"
        fields={fields}
        lead={ways.password || ways.code || ways.passkey ? texts.or : undefined}
        label={state.catalog.security.sso.continueWith}
      />
      <A class="link" href={placeOf(next)}>{cancel}</A>
    </BarePage>
  );
});

/** Submits the held form after a provider's confirmation, which came by a link and cannot post. */
function Proved({ view, back, fields }: {
  view: View;
  back: string;
  fields: Readonly<Record<string, string>>;
}) {
  const { confirm: texts } = view.catalog.security;
  return (
    <BarePage view={view} title={texts.title} back={back}>
      <h1>{texts.title}</h1>
      <p class="soft">{texts.confirmed}</p>
      <form class="fields" method="post" action="/console/confirm">
        <HiddenFields fields={{ ...fields, proved: "" }} />
        <button class="button primary" type="submit">{texts.goOn}</button>
      </form>
    </BarePage>
  );
}

/** The section of the console that a URL belongs to. */
function placeOf(next: string): string {
  return /^\/console(\/admin)?\/[^/?]+/.exec(next)?.[0] ?? "/console";
}

function ProofForm(
  { fields, texts, by, quiet = false }: {
    fields: Readonly<Record<string, string>>;
    texts: AccountState["catalog"]["security"]["confirm"];
    by: "password" | "code";
    /** True if another form has the page's primary button. */
    quiet?: boolean;
  },
) {
  return (
    <form class="fields" method="post" action="/console/confirm">
      <HiddenFields fields={fields} />
      {by === "password"
        ? <PasswordField label={texts.password} />
        : <CodeField label={texts.code} recovery />}
      <button class={quiet ? "button" : "button primary"} type="submit">{texts.submit}</button>
    </form>
  );
}

import { page } from "fresh";
import { BarePage } from "../components/BarePage.tsx";
import { Contact } from "../components/Contact.tsx";
import { described, Field, FormAlert } from "../components/Field.tsx";
import Notice from "../islands/Notice.tsx";
import TimeZone from "../islands/TimeZone.tsx";
import { isToBeSetUp, signIn, type SignInResult } from "../lib/accounts/mod.ts";
import { GatewayError } from "../lib/canonical/mod.ts";
import { readForm } from "../lib/console/form_body.ts";
import { waitInWords } from "../lib/console/format.ts";
import type { Catalog } from "../lib/console/i18n/mod.ts";
import { localPath } from "../lib/console/local_path.ts";
import { addressOf } from "../lib/console/request_state.ts";
import { signedIn } from "../lib/console/sign_in_answer.ts";
import { define } from "../lib/console/state.ts";

interface LoginData {
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  readonly notice?: string;
}

export const handler = define.handlers({
  async GET({ state: { account, catalog, services }, url }) {
    const next = localPath(url.searchParams.get("next"), "/console");
    if (account) return new Response(null, { status: 303, headers: { location: next } });
    const notice = url.searchParams.has("signed-out")
      ? catalog.signIn.signedOut
      : await isToBeSetUp(services.store)
      ? catalog.signIn.notSetUp
      : undefined;
    return page<LoginData>({ next, notice });
  },

  async POST(ctx) {
    const { state: { catalog, services, nowMs }, url } = ctx;
    const form = await readForm(ctx.req);
    const next = localPath(form.get("next"), "/console");
    const email = form.get("email") ?? "";
    const result = await attempt(() =>
      signIn({ ...services, nowMs }, {
        email,
        password: form.get("password") ?? "",
        ip: addressOf(ctx),
        userAgent: ctx.req.headers.get("user-agent") ?? undefined,
      })
    );
    if (result.type === "signed-in") return signedIn(url, next, result);
    const status = result.type === "refused" ? 401 : 429;
    const headers = result.type === "wait"
      ? { "retry-after": String(result.retryAfterSeconds) }
      : undefined;
    const data = { next, email: email.slice(0, 300), problem: problemOf(result, catalog) };
    return page<LoginData>(data, { status, headers });
  },
});

type Attempt = SignInResult | { readonly type: "busy" };

async function attempt(run: () => Promise<SignInResult>): Promise<Attempt> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof GatewayError) return { type: "busy" };
    throw error;
  }
}

function problemOf(result: Exclude<Attempt, { type: "signed-in" }>, catalog: Catalog): string {
  switch (result.type) {
    case "refused":
      return catalog.signIn.refused;
    case "wait":
      return catalog.signIn.wait(waitInWords(result.retryAfterSeconds, catalog));
    case "busy":
      return catalog.signIn.busy;
    default:
      return result satisfies never;
  }
}

export default define.page<typeof handler>(({ data, state }) => {
  const { signIn: texts } = state.catalog;
  const back = data.next === "/console" ? "/login" : `/login?next=${encodeURIComponent(data.next)}`;
  return (
    <BarePage view={state} title={texts.title} back={back}>
      <h1>{texts.title}</h1>
      {data.problem && <FormAlert>{data.problem}</FormAlert>}
      {data.problem && <Contact view={state} />}
      {data.notice && <Notice text={data.notice} />}
      <form class="fields" method="post" action="/login">
        <input type="hidden" name="next" value={data.next} />
        <Field id="email" label={texts.email}>
          <input
            {...described({ id: "email" })}
            class="input"
            type="email"
            name="email"
            autocomplete="username"
            required
            value={data.email}
          />
        </Field>
        <Field id="password" label={texts.password}>
          <input
            {...described({ id: "password" })}
            class="input"
            type="password"
            name="password"
            autocomplete="current-password"
            required
          />
        </Field>
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
      <TimeZone />
    </BarePage>
  );
});

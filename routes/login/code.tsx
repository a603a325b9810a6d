import { type Context, page } from "fresh";
import { A } from "../../components/A.tsx";
import { FormAlert } from "../../components/controls.tsx";
import { BarePage, Contact } from "../../components/layout/BarePage.tsx";
import { CodeField } from "../../components/sign_in/fields.tsx";
import { openPending, signInByCode } from "../../lib/accounts/mod.ts";
import { localPath, seeOther } from "../../lib/console/page/address.ts";
import { readForm } from "../../lib/console/page/form.ts";
import { pendingCookie } from "../../lib/console/session/cookies.ts";
import { type ConsoleState, define } from "../../lib/console/session/state.ts";
import { ownEntry } from "../../lib/console/sign_in/own_entry.ts";
import {
  attempted,
  failureAnswer,
  signedIn,
  signInFrom,
} from "../../lib/console/sign_in/sign_in_answer.ts";
import type { User } from "../../lib/store/users/mod.ts";

interface CodeData {
  readonly next: string;
  readonly email: string;
  /** True if the form asks the user for a recovery code. */
  readonly recovery: boolean;
  readonly problem?: string;
}

/** The second step of a sign-in: a code from the app, or a recovery code. */
export const handler = define.handlers({
  async GET(ctx) {
    const { url } = ctx;
    const user = await pendingUser(ctx);
    if (user === undefined) return startAnew();
    const next = localPath(url.searchParams.get("next"), "/console");
    const recovery = url.searchParams.has("recovery");
    return page<CodeData>({ next, email: user.email, recovery });
  },

  async POST(ctx) {
    const { req, url, state: { services, catalog, nowMs } } = ctx;
    const user = await pendingUser(ctx);
    if (user === undefined) return startAnew();
    const form = await readForm(req);
    const next = localPath(form.get("next"), "/console");
    const recovery = form.has("recovery");
    const used = [{ field: "recoveryCode", after: "used" }];
    const result = await attempted(() =>
      signInByCode({ ...services, nowMs }, {
        pending: pendingCookie.read(req.headers, url) ?? "",
        code: form.get("code") ?? "",
        audit: (one) => ownEntry(ctx, one, { action: "changed", changes: used }),
        ...signInFrom(ctx),
      })
    );
    if (result.type === "signed-in") return signedIn(url, next, result);
    if (result.type === "gone") return startAnew();
    const { code } = catalog.security;
    const refused = recovery ? code.recoveryRefused : code.refused;
    const { problem, init } = failureAnswer(result, catalog, refused);
    return page<CodeData>({ next, email: user.email, recovery, problem }, init);
  },
});

const startAnew = () => seeOther("/login?code-gone");

async function pendingUser(
  { req, url, state: { services: { store }, nowMs } }: Context<ConsoleState>,
): Promise<User | undefined> {
  const pending = pendingCookie.read(req.headers, url);
  return pending === undefined ? undefined : await openPending(store, pending, nowMs);
}

export default define.page<typeof handler>(({ data, state }) => {
  const { code: texts } = state.catalog.security;
  const { next, email, recovery, problem } = data;
  const here = `/login/code?${new URLSearchParams({ next })}`;
  return (
    <BarePage view={state} title={texts.title} back={here}>
      <h1>{texts.title}</h1>
      {problem && <FormAlert>{problem}</FormAlert>}
      <p class="soft">{recovery ? texts.recoveryText(email) : texts.text(email)}</p>
      <form class="fields" method="post" action="/login/code">
        <input type="hidden" name="next" value={next} />
        {recovery && <input type="hidden" name="recovery" value="true" />}
        <CodeField label={recovery ? texts.recoveryLabel : texts.label} recovery={recovery} />
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
      {recovery && <p class="hint">{texts.lost}</p>}
      {recovery && <Contact view={state} />}
      <p class="line-actions">
        <A class="link" href={recovery ? here : `${here}&recovery`}>
          {recovery ? texts.useApp : texts.useRecovery}
        </A>
        <A class="link" href="/login">{texts.restart}</A>
      </p>
    </BarePage>
  );
});

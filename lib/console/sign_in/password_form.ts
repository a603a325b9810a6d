import { type Context, page } from "fresh";
import { passwordLengthMax, passwordLengthMin, readEmail } from "../../accounts/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { readForm } from "../page/form.ts";
import { type ConsoleState, define } from "../session/state.ts";

/** The data of a page that a link with a token opens to set a password. */
export type PasswordLinkData =
  | { readonly type: "form"; readonly email: string; readonly fault?: string }
  | { readonly type: "gone" };

interface PasswordLink {
  /** Returns the address of the account; undefined if the link is invalid. */
  readonly open: (
    state: ConsoleState,
    token: string,
  ) => Promise<{ readonly email: string } | undefined>;
  /** Sets the password; returns undefined if the link has been used meanwhile. */
  readonly redeem: (
    ctx: Context<ConsoleState>,
    entered: { readonly token: string; readonly password: string },
  ) => Promise<Response | undefined>;
}

const gone = () => page<PasswordLinkData>({ type: "gone" }, { status: 410 });

/** Defines the handlers of a page that sets the password of a link's holder. */
export function definePasswordLink({ open, redeem }: PasswordLink) {
  return define.handlers({
    async GET({ state, params: { token } }) {
      const holder = await open(state, token);
      return holder ? page<PasswordLinkData>({ type: "form", email: holder.email }) : gone();
    },

    async POST(ctx) {
      const { state, params: { token } } = ctx;
      const holder = await open(state, token);
      if (!holder) return gone();
      const { email } = holder;
      const password = (await readForm(ctx.req)).get("password") ?? "";
      const { password: fault } = setupFaults({ email, password }, state.catalog);
      if (fault) return page<PasswordLinkData>({ type: "form", email, fault }, { status: 422 });
      return await redeem(ctx, { token, password }) ?? gone();
    },
  });
}

export interface SetupFaults {
  readonly email?: string;
  readonly password?: string;
}

/** The errors of the form in the reader's language; empty for a valid form. */
export function setupFaults(
  { email, password }: { readonly email: string; readonly password: string },
  { setup }: Catalog,
): SetupFaults {
  const missing = passwordLengthMin - [...password].length;
  return {
    ...(readEmail(email) === undefined && { email: setup.emailFault }),
    ...(missing > 0 && { password: setup.passwordShort(missing) }),
    ...(password.length > passwordLengthMax && { password: setup.passwordLong }),
  };
}

import { define } from "../../../../lib/console/session/state.ts";
import { ssoCallback } from "../../../../lib/console/sign_in/sso.ts";

/** The address to which a provider returns the browser. */
export const handler = define.handlers({
  GET: (ctx) => ssoCallback(ctx),
});

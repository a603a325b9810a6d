import type { Context } from "fresh";
import type { SignInFrom } from "../../accounts/mod.ts";
import { clientAddress } from "../../admin/audit.ts";
import { readKnownDevice } from "../session/session_cookie.ts";

/** The origin of a sign-in attempt. */
export function signInFrom(
  { req, url, info }: Pick<Context<unknown>, "req" | "url" | "info">,
): SignInFrom {
  return {
    ip: clientAddress({ info }),
    userAgent: req.headers.get("user-agent") ?? undefined,
    device: readKnownDevice(req.headers, url),
  };
}

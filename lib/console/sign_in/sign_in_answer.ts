import type { Context } from "fresh";
import type { SignInFrom } from "../../accounts/mod.ts";
import { clientAddress } from "../../admin/audit.ts";
import { GatewayError } from "../../canonical/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { seeOther } from "../page/address.ts";
import { waitInWords } from "../page/format.ts";
import { deviceCookie, pendingCookie, sessionCookie } from "../session/cookies.ts";

/** Redirects a browser that has just signed in, and sets its session and device cookies. */
export function signedIn(
  url: URL,
  to: string,
  { token, device, session }: {
    readonly token: string;
    readonly device: string;
    readonly session: { readonly createdAtMs: number; readonly expiresAtMs: number };
  },
): Response {
  const headers = new Headers();
  sessionCookie.write(headers, url, token, session.expiresAtMs - session.createdAtMs);
  deviceCookie.write(headers, url, device);
  pendingCookie.forget(headers, url);
  return seeOther(to, headers);
}

/** The result of an attempt; `busy` if too many passwords wait to be checked. */
type Attempted<Result> = Result | { readonly type: "busy" };

export async function attempted<Result>(
  attempt: () => Promise<Result>,
): Promise<Attempted<Result>> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof GatewayError) return { type: "busy" };
    throw error;
  }
}

/** The reason of a refusal. */
type SignInFailure =
  | { readonly type: "refused" | "busy" }
  | { readonly type: "wait"; readonly retryAfterSeconds: number };

interface PageInit {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** The failure in the reader's language, with the status and headers of the response. */
export function failureAnswer(
  result: SignInFailure,
  catalog: Catalog,
  refused: string,
): { readonly problem: string; readonly init: PageInit } {
  switch (result.type) {
    case "refused":
      return { problem: refused, init: { status: 401 } };
    case "busy":
      return { problem: catalog.signIn.busy, init: { status: 429 } };
    case "wait": {
      const { retryAfterSeconds } = result;
      const headers = { "retry-after": String(retryAfterSeconds) };
      const problem = catalog.signIn.wait(waitInWords(retryAfterSeconds, catalog));
      return { problem, init: { status: 429, headers } };
    }
    default:
      return result satisfies never;
  }
}

/** The origin of a sign-in attempt. */
export function signInFrom(
  { req, url, info }: Pick<Context<unknown>, "req" | "url" | "info">,
): SignInFrom {
  return {
    ip: clientAddress({ info }),
    userAgent: req.headers.get("user-agent") ?? undefined,
    device: deviceCookie.read(req.headers, url),
  };
}

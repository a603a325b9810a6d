import { writeSessionToken } from "./session_cookie.ts";

/** Leads a browser that has just signed in onwards, with its session. */
export function signedIn(
  url: URL,
  to: string,
  { token, session }: {
    readonly token: string;
    readonly session: { readonly createdAtMs: number; readonly expiresAtMs: number };
  },
): Response {
  const headers = new Headers({ location: to });
  writeSessionToken(headers, url, {
    token,
    maxAgeMs: session.expiresAtMs - session.createdAtMs,
  });
  return new Response(null, { status: 303, headers });
}

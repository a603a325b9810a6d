import { deleteCookie, setCookie } from "@std/http";
import { cookiesOf } from "./preferences.ts";

const hostName = "__Host-tessera";
const plainName = "tessera";
const loopback = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Under which names the session's cookie goes. Over https the `__Host-` name, which binds it to
 * this host and to TLS. On a loopback address both: browsers differ in whether plain http there
 * counts as secure. On plain http elsewhere only the plain name could be kept by any browser.
 */
function namesFor({ protocol, hostname }: URL): readonly string[] {
  if (protocol === "https:") return [hostName];
  return loopback.test(hostname) ? [hostName, plainName] : [plainName];
}

export function readSessionToken(headers: Headers, url: URL): string | undefined {
  const cookies = cookiesOf(headers);
  for (const name of namesFor(url)) {
    const token = cookies[name];
    if (token) return token;
  }
  return undefined;
}

/** Hands the browser its session, until `expiresAtMs`. */
export function writeSessionToken(
  headers: Headers,
  url: URL,
  { token, maxAgeMs }: { readonly token: string; readonly maxAgeMs: number },
): void {
  for (const name of namesFor(url)) {
    setCookie(headers, {
      name,
      value: token,
      path: "/",
      httpOnly: true,
      secure: name === hostName,
      sameSite: "Lax",
      maxAge: Math.floor(maxAgeMs / 1_000),
    });
  }
}

export function forgetSessionToken(headers: Headers, url: URL): void {
  for (const name of namesFor(url)) {
    deleteCookie(headers, name, { path: "/", httpOnly: true, secure: name === hostName });
  }
}

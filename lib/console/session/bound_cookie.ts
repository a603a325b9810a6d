import { deleteCookie, setCookie } from "@std/http";
import { cookiesOf } from "../page/preferences.ts";

const loopback = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The names under which a cookie is set. Over https the `__Host-` name, which binds it to this host
 * and to TLS. On a loopback address both names, because browsers differ in whether they treat plain
 * http there as secure. On plain http elsewhere only the plain name, because no browser accepts the
 * other.
 */
function namesFor(name: string, { protocol, hostname }: URL): readonly string[] {
  const bound = `__Host-${name}`;
  if (protocol === "https:") return [bound];
  return loopback.test(hostname) ? [bound, name] : [name];
}

/** Reads a cookie under the names that the requested host may trust. */
export function readBoundCookie(headers: Headers, url: URL, name: string): string | undefined {
  const cookies = cookiesOf(headers);
  for (const one of namesFor(name, url)) {
    const value = cookies[one];
    if (value) return decoded(value);
  }
  return undefined;
}

/** Sets a cookie that no script can read. */
export function writeBoundCookie(
  headers: Headers,
  url: URL,
  { name, value, maxAgeMs }: {
    readonly name: string;
    readonly value: string;
    readonly maxAgeMs: number;
  },
): void {
  for (const one of namesFor(name, url)) {
    setCookie(headers, {
      name: one,
      value: encodeURIComponent(value),
      path: "/",
      httpOnly: true,
      secure: one.startsWith("__Host-"),
      sameSite: "Lax",
      maxAge: Math.floor(maxAgeMs / 1_000),
    });
  }
}

export function forgetBoundCookie(headers: Headers, url: URL, name: string): void {
  for (const one of namesFor(name, url)) {
    deleteCookie(headers, one, { path: "/", httpOnly: true, secure: one.startsWith("__Host-") });
  }
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

import { deleteCookie, setCookie } from "@std/http";
import { flowLifetimeMs, knownDeviceLifetimeMs, pendingLifetimeMs } from "../../accounts/mod.ts";
import { cookiesOf } from "../page/preferences.ts";
import type { SessionScope } from "./state.ts";

/** The session's token, for as long as the session lasts. */
export const sessionCookie = boundCookie("tessera");
/** The token that makes this browser known to its account (`newKnownDevice`), also later. */
export const deviceCookie = boundCookie("tessera-device", knownDeviceLifetimeMs);
/** The proof of a correct password while the second factor is pending. */
export const pendingCookie = boundCookie("tessera-pending", pendingLifetimeMs);
/** The sealed sign-in that is under way at a provider. */
export const flowCookie = boundCookie("tessera-sso", flowLifetimeMs);

/** A cookie that no script can read, under the names that the requested host may trust. */
function boundCookie(name: string, lifetimeMs = 0) {
  return {
    read(headers: Headers, url: URL): string | undefined {
      const cookies = cookiesOf(headers);
      const value = namesFor(name, url).map((one) => cookies[one]).find((one) => one);
      return value && decoded(value);
    },
    write(headers: Headers, url: URL, value: string, maxAgeMs: number = lifetimeMs): void {
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
    },
    forget(headers: Headers, url: URL): void {
      for (const one of namesFor(name, url)) {
        const secure = one.startsWith("__Host-");
        deleteCookie(headers, one, { path: "/", httpOnly: true, secure });
      }
    },
  };
}

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

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** A cookie that only the gateway can read, and that is valid for one session. */
interface SealedCookie {
  readonly name: string;
  readonly path: string;
  readonly maxAgeSeconds: number;
  /** Separates its content from that of other sealed values. */
  readonly purpose: string;
}

export async function writeSealedCookie(
  headers: Headers,
  cookie: SealedCookie,
  { content, scope }: { readonly content: object; readonly scope: SessionScope },
): Promise<void> {
  const { secretBox } = scope.services.store;
  const sealed = await secretBox.seal(JSON.stringify(content), contextOf(cookie, scope));
  setCookie(headers, {
    name: cookie.name,
    value: encodeURIComponent(sealed),
    path: cookie.path,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: cookie.maxAgeSeconds,
  });
}

/** Returns the content; undefined if there is none, or if it belongs to another session. */
export async function readSealedCookie(
  headers: Headers,
  cookie: SealedCookie,
  scope: SessionScope,
): Promise<unknown> {
  const value = cookiesOf(headers)[cookie.name];
  if (!value) return undefined;
  const { secretBox } = scope.services.store;
  try {
    return JSON.parse(await secretBox.open(decodeURIComponent(value), contextOf(cookie, scope)));
  } catch {
    return undefined;
  }
}

export function forgetSealedCookie(headers: Headers, { name, path }: SealedCookie): void {
  deleteCookie(headers, name, { path, httpOnly: true });
}

function contextOf({ purpose }: SealedCookie, { account: { session } }: SessionScope): string {
  return `${purpose} ${session.digest}`;
}

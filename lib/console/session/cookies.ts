import { deleteCookie, setCookie } from "@std/http";
import { flowLifetimeMs, knownDeviceLifetimeMs, pendingLifetimeMs } from "../../accounts/mod.ts";
import { cookiesOf } from "../page/preferences.ts";
import type { SessionScope } from "./state.ts";

const names = {
  session: "tessera",
  /** Kept when the session ends. */
  device: "tessera-device",
  /** Between a correct password and its code. */
  pending: "tessera-pending",
  /** While the browser is at a sign-in provider. */
  flow: "tessera-sso",
} as const;

export function readSessionToken(headers: Headers, url: URL): string | undefined {
  return readBoundCookie(headers, url, names.session);
}

/** Sets the session cookie for `maxAgeMs`. */
export function writeSessionToken(
  headers: Headers,
  url: URL,
  { token, maxAgeMs }: { readonly token: string; readonly maxAgeMs: number },
): void {
  writeBoundCookie(headers, url, { name: names.session, value: token, maxAgeMs });
}

export function forgetSessionToken(headers: Headers, url: URL): void {
  forgetBoundCookie(headers, url, names.session);
}

/** The token that makes this browser known to its account (`newKnownDevice`). */
export function readKnownDevice(headers: Headers, url: URL): string | undefined {
  return readBoundCookie(headers, url, names.device);
}

export function writeKnownDevice(headers: Headers, url: URL, device: string): void {
  const maxAgeMs = knownDeviceLifetimeMs;
  writeBoundCookie(headers, url, { name: names.device, value: device, maxAgeMs });
}

/** Reads the proof of a correct password while the second factor is pending. */
export function readPending(headers: Headers, url: URL): string | undefined {
  return readBoundCookie(headers, url, names.pending);
}

export function writePending(headers: Headers, url: URL, pending: string): void {
  const maxAgeMs = pendingLifetimeMs;
  writeBoundCookie(headers, url, { name: names.pending, value: pending, maxAgeMs });
}

export function forgetPending(headers: Headers, url: URL): void {
  forgetBoundCookie(headers, url, names.pending);
}

/** Reads the sealed sign-in that is under way at a provider. */
export function readFlow(headers: Headers, url: URL): string | undefined {
  return readBoundCookie(headers, url, names.flow);
}

export function writeFlow(headers: Headers, url: URL, sealed: string): void {
  writeBoundCookie(headers, url, { name: names.flow, value: sealed, maxAgeMs: flowLifetimeMs });
}

export function forgetFlow(headers: Headers, url: URL): void {
  forgetBoundCookie(headers, url, names.flow);
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

/** Reads a cookie under the names that the requested host may trust. */
function readBoundCookie(headers: Headers, url: URL, name: string): string | undefined {
  const cookies = cookiesOf(headers);
  for (const one of namesFor(name, url)) {
    const value = cookies[one];
    if (value) return decoded(value);
  }
  return undefined;
}

/** Sets a cookie that no script can read. */
function writeBoundCookie(
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

function forgetBoundCookie(headers: Headers, url: URL, name: string): void {
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

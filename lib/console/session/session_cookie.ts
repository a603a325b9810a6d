import { flowLifetimeMs, knownDeviceLifetimeMs, pendingLifetimeMs } from "../../accounts/mod.ts";
import { forgetBoundCookie, readBoundCookie, writeBoundCookie } from "./bound_cookie.ts";

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

/** Sets the session cookie, until `expiresAtMs`. */
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

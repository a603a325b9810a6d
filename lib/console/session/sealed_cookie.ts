import { deleteCookie, setCookie } from "@std/http";
import { cookiesOf } from "../page/preferences.ts";
import type { SessionScope } from "./state.ts";

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

import { deleteCookie, setCookie } from "@std/http";
import type { Store } from "../../store/mod.ts";
import { cookiesOf } from "./preferences.ts";

/**
 * A message for the next page, across the redirect that follows a form: in a sealed, short-lived
 * cookie that is bound to the session and deleted when it is read. Never in an address.
 */
export type Flash =
  | { readonly type: "key-created" | "key-rotated"; readonly name: string; readonly secret: string }
  | {
    readonly type: "key-enabled" | "key-disabled";
    readonly id: string;
    readonly name: string;
  }
  | { readonly type: "key-deleted" | "key-changed"; readonly name: string }
  | { readonly type: "keys-enabled" | "keys-disabled" | "keys-deleted"; readonly count: number }
  | { readonly type: "view-saved" | "view-deleted"; readonly name: string }
  | { readonly type: "delivery-tested"; readonly delivery: string; readonly result: string }
  | { readonly type: "key-gone" | "keys-none" | "views-full" | "view-nameless" };

const cookieName = "tessera_flash";
const path = "/console";
const maxAgeSeconds = 120;

export async function writeFlash(
  headers: Headers,
  flash: Flash,
  { store, sessionDigest }: { readonly store: Store; readonly sessionDigest: string },
): Promise<void> {
  const sealed = await store.secretBox.seal(JSON.stringify(flash), context(sessionDigest));
  setCookie(headers, {
    name: cookieName,
    value: encodeURIComponent(sealed),
    path,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: maxAgeSeconds,
  });
}

/**
 * Reads the message, and deletes it through `headers`. Undefined if there is none, or if it belongs
 * to another session.
 */
export async function takeFlash(
  request: Request,
  headers: Headers,
  { store, sessionDigest }: { readonly store: Store; readonly sessionDigest: string },
): Promise<Flash | undefined> {
  const cookie = cookiesOf(request.headers)[cookieName];
  if (!cookie) return undefined;
  deleteCookie(headers, cookieName, { path, httpOnly: true });
  try {
    const text = await store.secretBox.open(
      decodeURIComponent(cookie),
      context(sessionDigest),
    );
    return JSON.parse(text) as Flash; // sealed by writeFlash, so the shape is known
  } catch {
    return undefined;
  }
}

function context(sessionDigest: string): string {
  return `flash ${sessionDigest}`;
}

import type { MailFault } from "../../mail/mod.ts";
import { forgetSealedCookie, readSealedCookie, writeSealedCookie } from "../session/cookies.ts";
import type { SessionScope } from "../session/state.ts";
import { seeOther } from "./address.ts";
import { cookiesOf } from "./preferences.ts";

/**
 * A message for the next page, across the redirect that follows a form: in a sealed, short-lived
 * cookie that is bound to the session and deleted when it is read. Never in an address.
 */
export type Flash =
  | {
    readonly type: "key-created" | "key-rotated";
    readonly name: string;
    readonly secret: string;
    /** Set for a key of another account. */
    readonly id?: string;
  }
  | {
    readonly type: "key-enabled" | "key-disabled";
    readonly id: string;
    readonly name: string;
  }
  | { readonly type: "user-disabled" | "upstream-disabled"; readonly id: string }
  | { readonly type: "key-deleted" | "key-changed"; readonly name: string }
  | { readonly type: "keys-enabled" | "keys-deleted"; readonly count: number }
  /** `ids`: those to enable again; empty if there are too many. */
  | { readonly type: "keys-disabled"; readonly count: number; readonly ids: readonly string[] }
  /** `undo`: the budget that each of these keys had before; absent if they differed. */
  | {
    readonly type: "keys-limited";
    readonly count: number;
    readonly undo?: {
      readonly ids: readonly string[];
      readonly period: string;
      /** In dollars; empty for none. */
      readonly amount: string;
    };
  }
  /** `id`: the model. `undo`: the form that restores the former price; absent if there is none. */
  | {
    readonly type: "price-set";
    readonly id: string;
    readonly undo?: Readonly<Record<string, string>>;
  }
  | { readonly type: "view-saved" | "view-deleted"; readonly name: string }
  | { readonly type: "delivery-tested"; readonly delivery: string; readonly result: string }
  | {
    readonly type: "mail-tested";
    /** Absent after a success. */
    readonly fault?: MailFault;
    readonly status?: number;
    readonly words?: string;
  }
  | { readonly type: "webhook-secret"; readonly signing: string }
  | { readonly type: "webhook-tested"; readonly result: string }
  | {
    readonly type: "fallback-added" | "fallback-removed";
    readonly upstream: string;
    readonly model: string;
  }
  | { readonly type: "key-gone" | "keys-none" | "views-full" | "view-nameless" };

const cookie = {
  name: "tessera_flash",
  path: "/console",
  maxAgeSeconds: 120,
  purpose: "flash",
} as const;

/** Redirects to a page that shows the message. */
export async function seeOtherWith(
  flash: Flash,
  location: string,
  scope: SessionScope,
): Promise<Response> {
  const headers = new Headers();
  await writeSealedCookie(headers, cookie, { content: flash, scope });
  return seeOther(location, headers);
}

/** Returns true if a message waits for the next page. */
export function hasFlash(headers: Headers): boolean {
  return cookiesOf(headers)[cookie.name] !== undefined;
}

/** Reads the message, and deletes it through `headers`. */
export async function takeFlash(
  request: Request,
  headers: Headers,
  scope: SessionScope,
): Promise<Flash | undefined> {
  const flash = await readSealedCookie(request.headers, cookie, scope);
  if (hasFlash(request.headers)) forgetSealedCookie(headers, cookie);
  return flash as Flash | undefined; // written by `seeOtherWith`
}

import { setCookie } from "@std/http";
import type { Settings } from "../../store/catalog/mod.ts";
import { digestOf } from "../../store/mod.ts";
import { cookiesOf } from "./preferences.ts";

const cookieName = "tessera_notice";

/** The site notice for this browser; empty if it was hidden. */
export function noticeFor(headers: Headers, { notice }: Pick<Settings, "notice">): string {
  return cookiesOf(headers)[cookieName] === noticeId(notice) ? "" : notice;
}

/** The id of a notice, which changes with its text, so that a new notice appears again. */
export function noticeId(notice: string): string {
  return digestOf(notice).slice(0, 32);
}

/** Hides a notice until the browser is closed. Ignores any text that is not the id of a notice. */
export function hideNotice(headers: Headers, id: string): void {
  if (!/^[0-9a-f]{32}$/.test(id)) return;
  setCookie(headers, { name: cookieName, value: id, path: "/", sameSite: "Lax", httpOnly: true });
}

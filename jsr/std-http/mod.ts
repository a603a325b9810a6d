/**
 * Stand-in for `@std/http`: cookies, statuses, negotiation and entity tags, with the real
 * signatures. `jsr/README.md` says what it leaves out and how to drop it.
 */
export { type Cookie, deleteCookie, getCookies, setCookie } from "./cookie.ts";
export { eTag, type ETagOptions, type FileInfo, ifNoneMatch } from "./etag.ts";
export { accepts } from "./negotiation.ts";
export {
  type ClientErrorStatus,
  type ErrorStatus,
  type InformationalStatus,
  isClientErrorStatus,
  isErrorStatus,
  isInformationalStatus,
  isRedirectStatus,
  isServerErrorStatus,
  isStatus,
  isSuccessfulStatus,
  type RedirectStatus,
  type ServerErrorStatus,
  STATUS_CODE,
  STATUS_TEXT,
  type StatusCode,
  type StatusText,
  type SuccessfulStatus,
} from "./status.ts";

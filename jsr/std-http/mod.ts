/** Stand-in for `@std/http`: cookies, with the real signatures. `jsr/README.md` says how to drop it. */
export { deleteCookie, getCookies, setCookie } from "./cookie.ts";

/** A cookie of a `Set-Cookie` header. */
interface Cookie {
  name: string;
  value: string;
  expires?: Date;
  /** In seconds; an integer, or it is left out. */
  maxAge?: number;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
}

/** The cookies of a request, values undecoded; the last of each name. */
export function getCookies(headers: Headers): Partial<Record<string, string>> {
  const cookies: Partial<Record<string, string>> = Object.create(null);
  const header = headers.get("cookie");
  if (header === null) return cookies;
  for (const pair of header.split(";")) {
    const [name, ...value] = pair.split("=");
    if (name.trim() === "" && value.length > 0) {
      throw new SyntaxError("Cookie cannot start with '='");
    }
    cookies[name.trim()] = value.join("=").trim();
  }
  return cookies;
}

/**
 * Adds a `Set-Cookie` header, unless the name is empty; throws for values that the header cannot
 * contain.
 */
export function setCookie(headers: Headers, cookie: Cookie): void {
  if (cookie.name !== "") headers.append("set-cookie", serialize(cookie));
}

/** Deletes a cookie in the browser; the attributes must be those it was set with. */
export function deleteCookie(
  headers: Headers,
  name: string,
  attributes?: Pick<Cookie, "path" | "secure" | "httpOnly">,
): void {
  setCookie(headers, { ...attributes, name, value: "", expires: new Date(0) });
}

function serialize(cookie: Cookie): string {
  checkName(cookie.name);
  checkValue(cookie.name, cookie.value);
  const { path } = cookie;
  return [
    `${cookie.name}=${cookie.value}`,
    cookie.secure && "Secure",
    cookie.httpOnly && "HttpOnly",
    maxAge(cookie.maxAge),
    cookie.sameSite && `SameSite=${cookie.sameSite}`,
    path && `Path=${checkPath(path)}`,
    cookie.expires && `Expires=${cookie.expires.toUTCString()}`,
  ].filter(Boolean).join("; ");
}

function checkName(name: string): void {
  if (/^[!#$%&'*+\-.^_`|~\w]+$/.test(name)) return;
  throw new SyntaxError(`Invalid cookie name: "${name}"`);
}

function checkValue(name: string, value: string): void {
  // deno-lint-ignore no-control-regex
  const bad = /[\x00-\x1f\x7f",;\\ ]/.exec(value);
  if (bad !== null) {
    throw new SyntaxError(`RFC2616 cookie '${name}' cannot contain character '${bad[0]}'`);
  }
  // deno-lint-ignore no-control-regex
  if (!/^[\x00-\x7f]*$/.test(value)) {
    throw new SyntaxError(`RFC2616 cookie '${name}' can only have US-ASCII chars as value`);
  }
}

function maxAge(seconds: number | undefined): string | undefined {
  if (!Number.isInteger(seconds)) return undefined;
  if (Number(seconds) >= 0) return `Max-Age=${seconds}`;
  throw new RangeError(`Cannot serialize cookie as Max-Age must be >= 0: received ${seconds}`);
}

function checkPath(path: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[\x00-\x1f\x7f;]/.test(path)) return path;
  throw new SyntaxError(`Cookie path "${path}" contains an invalid character`);
}

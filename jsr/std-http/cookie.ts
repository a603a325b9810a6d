/** A cookie of a `Set-Cookie` header. */
export interface Cookie {
  name: string;
  value: string;
  expires?: Date | number;
  /** In seconds; an integer, or it is left out. */
  maxAge?: number;
  domain?: string;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  partitioned?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
  /** Further attributes, written as they are. */
  unparsed?: string[];
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

/** Adds a `Set-Cookie` header; throws for values that the header cannot contain. */
export function setCookie(headers: Headers, cookie: Cookie): void {
  headers.append("set-cookie", serialize(cookie));
}

/** Deletes a cookie in the browser; the attributes must be those it was set with. */
export function deleteCookie(
  headers: Headers,
  name: string,
  attributes?: Pick<Cookie, "path" | "domain" | "secure" | "httpOnly" | "partitioned">,
): void {
  setCookie(headers, { ...attributes, name, value: "", expires: new Date(0) });
}

function serialize(cookie: Cookie): string {
  checkName(cookie.name);
  checkValue(cookie.name, cookie.value);
  const { domain, path, secure } = withPrefixRules(cookie);
  return [
    `${cookie.name}=${cookie.value}`,
    secure && "Secure",
    cookie.httpOnly && "HttpOnly",
    cookie.partitioned && "Partitioned",
    maxAge(cookie.maxAge),
    domain && `Domain=${checkDomain(domain)}`,
    cookie.sameSite && `SameSite=${cookie.sameSite}`,
    path && `Path=${checkPath(path)}`,
    cookie.expires && `Expires=${new Date(cookie.expires).toUTCString()}`,
    ...cookie.unparsed ?? [],
  ].filter(Boolean).join("; ");
}

/** The name prefixes that require attributes: browsers reject the cookie without them. */
function withPrefixRules(cookie: Cookie): Pick<Cookie, "domain" | "path" | "secure"> {
  const { domain, path, secure } = cookie;
  if (cookie.name.startsWith("__Host-")) return { path: "/", secure: true };
  return { domain, path, secure: secure || cookie.name.startsWith("__Secure-") };
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

function checkDomain(domain: string): string {
  if (!/^-|[.-]$/.test(domain)) return domain;
  throw new SyntaxError(`Invalid first/last char in cookie domain: ${domain}`);
}

function checkPath(path: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[\x00-\x1f\x7f;]/.test(path)) return path;
  throw new SyntaxError(`Cookie path "${path}" contains an invalid character`);
}

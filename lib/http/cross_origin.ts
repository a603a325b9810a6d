/** Access of other origins' pages to the API (Fetch standard, "CORS protocol"). */
export interface CrossOrigin {
  /** The answer to a preflight request; undefined for any other request. */
  preflight(request: Request): Response | undefined;
  /** Adds the headers that make a response readable for a page of an allowed origin. */
  readable(request: Request, response: Response): Response;
}

/** Time for which browsers cache the answer to a preflight; Chromium's maximum is two hours. */
const maxAgeSeconds = 7_200;
const methods = "GET, POST, DELETE";
/** A list of header names, as browsers send it. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/;
const headerCharsMax = 8_000;

/**
 * The rule for the allowed origins; `*` allows all. Undefined if there are none. Cookies are irrelevant: no answer allows
 * credentials, and the API reads none. So every header is allowed: `*` covers those of answers,
 * whatever a format calls its limits.
 */
export function crossOrigin(origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined;
  const isOpen = origins.includes("*");
  const allowed = new Set(origins);
  const permit = (request: Request, headers: Headers): boolean => {
    const origin = request.headers.get("origin");
    if (!isOpen) headers.append("vary", "origin"); // also of answers without: caches must not mix them
    if (origin === null || !(isOpen || allowed.has(origin))) return false;
    headers.set("access-control-allow-origin", isOpen ? "*" : origin);
    return true;
  };
  return {
    preflight: (request) => {
      if (!isPreflight(request)) return undefined;
      const headers = new Headers();
      if (permit(request, headers)) allowCall(request, headers);
      return new Response(null, { status: 204, headers });
    },
    readable: (request, response) => {
      if (permit(request, response.headers)) {
        response.headers.set("access-control-expose-headers", "*");
      }
      return response;
    },
  };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") &&
    headers.has("access-control-request-method");
}

/** Repeats the requested header names: SDKs send many, and `*` would not cover `authorization`. */
function allowCall(request: Request, headers: Headers): void {
  const asked = request.headers.get("access-control-request-headers") ?? "";
  headers.set("access-control-allow-methods", methods);
  headers.set("access-control-max-age", String(maxAgeSeconds));
  headers.append("vary", "access-control-request-headers");
  if (asked.length <= headerCharsMax && headerNames.test(asked)) {
    headers.set("access-control-allow-headers", asked);
  }
}

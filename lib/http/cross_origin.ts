/** Access of pages of other origins to the API, in a browser (Fetch standard, "CORS protocol"). */
export interface CrossOrigin {
  /** The answer to a browser that asks before it calls; undefined where the request is something else, or no origin is allowed. */
  preflight(request: Request): Response | undefined;
  /** The response, readable for the page that asked where its origin is allowed. */
  readable(request: Request, response: Response): Response;
}

/** Browsers keep the answer to a preflight for as long, Chromium for two hours at most. */
const maxAgeSeconds = 7_200;
const methods = "GET, POST, DELETE";
/** Names of headers, as a browser lists them. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/;
const headerCharsMax = 8_000;

/**
 * The rule for origins that the operator allows; `*` allows all. Cookies never count: no answer
 * allows credentials, and the API reads none. So every header that a client wants to send or read
 * is allowed: `*` covers those of answers, whatever a format's limits are called.
 */
export function crossOrigin(origins: readonly string[]): CrossOrigin {
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
      if (origins.length === 0 || !isPreflight(request)) return undefined;
      const headers = new Headers();
      if (permit(request, headers)) allowCall(request, headers);
      return new Response(null, { status: 204, headers });
    },
    readable: (request, response) => {
      if (origins.length === 0) return response;
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

/** SDKs send headers of many names, and `*` would not cover `authorization`. */
function allowCall(request: Request, headers: Headers): void {
  const asked = request.headers.get("access-control-request-headers") ?? "";
  headers.set("access-control-allow-methods", methods);
  headers.set("access-control-max-age", String(maxAgeSeconds));
  headers.append("vary", "access-control-request-headers");
  if (asked.length <= headerCharsMax && headerNames.test(asked)) {
    headers.set("access-control-allow-headers", asked);
  }
}

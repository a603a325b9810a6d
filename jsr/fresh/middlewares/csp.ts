import { nonces } from "../render/nonce.ts";
import type { Middleware } from "../types.ts";

interface CSPOptions {
  /** Directives that replace those of the same name. */
  csp?: string[];
  /** Allow inline scripts and styles by the nonce of the rendered page only. */
  useNonce?: boolean;
}

/** Sets the content security policy of every response. */
export function csp<State>({ csp: own = [], useNonce }: CSPOptions = {}): Middleware<State> {
  const replaced = new Set(own.map(nameOf));
  const kept = defaults.filter((directive) => !replaced.has(nameOf(directive)));
  const policy = [...kept, ...own].join("; ");
  return async (ctx) => {
    const response = await ctx.next();
    const nonce = useNonce ? nonces.get(response) : undefined;
    const value = nonce === undefined
      ? policy
      : policy.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`);
    response.headers.set("content-security-policy", value);
    return response;
  };
}

const defaults = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
] as const;

function nameOf(directive: string): string {
  return directive.trim().split(/\s/, 1)[0];
}

import { nonces } from "../render/nonce.ts";
import type { Middleware } from "../types.ts";

export interface CSPOptions {
  /** Only report what the policy would block. */
  reportOnly?: boolean;
  /** The address to which browsers send their reports. */
  reportTo?: string;
  /** Directives that replace those of the same name. */
  csp?: string[];
  /** Allow inline scripts and styles by the nonce of the rendered page only. */
  useNonce?: boolean;
}

/** Sets the content security policy of every response. */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const policy = policyOf(options);
  const name = options.reportOnly
    ? "content-security-policy-report-only"
    : "content-security-policy";
  return async (ctx) => {
    const response = await ctx.next();
    const nonce = options.useNonce ? nonces.get(response) : undefined;
    const value = nonce === undefined
      ? policy
      : policy.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`);
    response.headers.set(name, value);
    if (options.reportTo) {
      response.headers.set(
        "reporting-endpoints",
        `csp-endpoint="${options.reportTo}"`,
      );
    }
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

function policyOf({ csp: own = [], reportTo }: CSPOptions): string {
  const replaced = new Set(own.map(nameOf));
  const kept = defaults.filter((directive) => !replaced.has(nameOf(directive)));
  const reports = reportTo ? ["report-to csp-endpoint", `report-uri ${reportTo}`] : [];
  return [...kept, ...own, ...reports].join("; ");
}

function nameOf(directive: string): string {
  return directive.trim().split(/\s/, 1)[0];
}

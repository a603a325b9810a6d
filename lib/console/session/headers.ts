import type { Context } from "fresh";

/** Sets the headers of every answer of the console. */
const headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

/**
 * Sets the security headers, and tightens the policy of `csp()`, which runs inside.
 * `upgrade-insecure-requests` stays on https only, because on plain http it would break every
 * island, except on localhost. Answers without a nonce lose `'unsafe-inline'`, which they do not
 * need. Pages are not cached, because they show an account's own data.
 */
export async function secureHeaders<State>(ctx: Context<State>): Promise<Response> {
  const response = await ctx.next();
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  const policy = response.headers.get("content-security-policy");
  if (policy !== null) {
    response.headers.set("content-security-policy", stricter(policy, ctx.url.protocol));
  }
  if (response.ok && versioned.test(ctx.url.pathname)) {
    response.headers.set("cache-control", "public, max-age=31536000, immutable");
  } else if (!response.headers.has("cache-control")) {
    response.headers.set("cache-control", "no-store");
  }
  return response;
}

/** Matches files whose names change with their content, such as fonts in a style sheet. */
const versioned = /^\/fonts\/[\w-]+-\d+(\.\d+)+\.woff2$/;

function stricter(policy: string, protocol: string): string {
  return policy.split("; ")
    .filter((directive) => directive !== "upgrade-insecure-requests" || protocol === "https:")
    .map((directive) => directive.replace(" 'unsafe-inline'", ""))
    .join("; ");
}

import { createHash } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { childSigningKey } from "../../lib/child_key.ts";

/** The claims of a child key that ends in an hour. */
export const childClaims = (more: Readonly<Record<string, unknown>> = {}) => ({
  sub: "reviewer",
  exp: Math.floor(Date.now() / 1_000) + 3_600,
  ...more,
});

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Signs a child key as its users do; `header` replaces members of the header. */
export async function signChild(
  secret: string,
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const pem = childSigningKey(secret).toString("base64");
  const key = await importPKCS8(
    `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----`,
    "EdDSA",
  );
  return await new SignJWT(childClaims(claims))
    .setProtectedHeader({ alg: "EdDSA", kid: sha256(secret), ...header })
    .sign(key, header.crit ? { crit: { x: true } } : {});
}

/** A token of any content, signed by nobody. */
export function unsignedToken(header: unknown, claims: unknown, signature = ""): string {
  const part = (value: unknown) =>
    new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  return `${part(header)}.${part(claims)}.${signature}`;
}

import { hash } from "node:crypto";
import type { UpstreamRecord } from "../store/catalog/mod.ts";

/** One of an upstream's secrets. */
export interface Credential {
  /** The first digits of the secret's SHA-256: its name in logs, the console and metrics. */
  readonly id: string;
  /** Never shown and never logged. */
  readonly secret: string;
}

/** An upstream's credentials in order; empty if it needs none. */
export function credentialsOf(
  { credentials }: Pick<UpstreamRecord, "credentials">,
): readonly Credential[] {
  const known = named.get(credentials);
  if (known) return known;
  const made = credentials.map((secret) => ({ id: credentialId(secret), secret }));
  named.set(credentials, made);
  return made;
}

/** Caches ids by list: lists are never changed in place, so each secret is hashed once. */
const named = new WeakMap<readonly string[], readonly Credential[]>();

const idDigits = 8;

function credentialId(secret: string): string {
  return hash("sha256", secret, "hex").slice(0, idDigits);
}

import { hasHidden } from "../canonical/mod.ts";

const lengthMax = 254;

/** Normalizes an e-mail address for the store; undefined if it is malformed. Sends no mail to it. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  const isAddress = email.length <= lengthMax && /^[^\s@]+@[^\s@]+$/.test(email);
  return isAddress && !hasHidden(email) ? email : undefined;
}

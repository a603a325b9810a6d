const lengthMax = 254;

/** Normalizes an e-mail address for the store; undefined if it is malformed. Sends no mail to it. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= lengthMax && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined;
}

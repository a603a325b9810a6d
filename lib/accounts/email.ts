const lengthMax = 254;

/** An e-mail address as the store keeps it; undefined when it is none. Whether it exists only a mail can tell. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= lengthMax && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined;
}

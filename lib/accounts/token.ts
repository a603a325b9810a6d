/**
 * Creates 256 random bits for a cookie or a link, in base64url. The store keeps only the digest.
 */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

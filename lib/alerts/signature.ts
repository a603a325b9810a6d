/** What is signed: the id of the message, when it is sent, and its body to the byte. */
export interface SignedContent {
  /** Without a full stop. */
  readonly id: string;
  readonly atMs: number;
  readonly body: string;
}

/**
 * The headers of a signed webhook, after Standard Webhooks 1.0.0
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md):
 * HMAC-SHA256 of `id.seconds.body` under the bytes that the secret, `whsec_` and base64, stands for.
 */
export async function signedHeaders(
  { id, atMs, body }: SignedContent,
  secret: string,
): Promise<Readonly<Record<string, string>>> {
  const seconds = String(Math.floor(atMs / 1_000));
  const key = await crypto.subtle.importKey(
    "raw",
    Uint8Array.fromBase64(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const content = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, content));
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${signature.toBase64()}`,
  };
}

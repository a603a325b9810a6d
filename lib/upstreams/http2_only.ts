/**
 * True if an upstream refused HTTP/1.1 in the TLS handshake, so that nothing was sent. The message
 * quotes the URL, which cannot have these words: it has no spaces.
 */
export function isHttp2Only(error: unknown): boolean {
  return error instanceof Error &&
    error.message.includes("received fatal alert: NoApplicationProtocol");
}

/** Fields that say where a message goes, how long it is, what it holds or how it is sent (RFC 9110, RFC 9112). */
const ofTheMessage =
  /^(accept(-.*)?|connection|content-.*|date|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via)$/;

/**
 * Returns true for the name of a header that may carry an upstream's credential. In another one it
 * would break the request, or be dropped or read by a proxy on the way.
 */
export function mayCarryCredential(header: string): boolean {
  return /^[A-Za-z0-9-]{1,100}$/.test(header) && !ofTheMessage.test(header.toLowerCase());
}

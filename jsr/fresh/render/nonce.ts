/** The nonce that a rendered response's scripts bear; a copy of the response has none. */
export const nonces = new WeakMap<Response, string>();

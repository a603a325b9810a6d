/** The nonce of a rendered response's scripts; a copy of the response has none. */
export const nonces = new WeakMap<Response, string>();

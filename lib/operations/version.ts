/** The version of the gateway, which is that of `deno.json`. */
export const version = "0.1.0";

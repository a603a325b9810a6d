const caches = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? "/tmp"}/.cache`;

/** Where tools keep what they install for the tests, outside of the project. */
export const cacheFolder = `${caches}/tessera`;

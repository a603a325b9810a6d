/** The client under test: `UPSTREAM_CLIENT=fetch deno task test` runs the tests on the runtime's. */
export const upstreamClient = Deno.env.get("UPSTREAM_CLIENT") === "fetch" ? "fetch" : "http1";

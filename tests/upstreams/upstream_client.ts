/** The client under test: `UPSTREAM_CLIENT=http1 deno task test` runs the tests on our own. */
export const upstreamClient = Deno.env.get("UPSTREAM_CLIENT") === "http1" ? "http1" : "fetch";

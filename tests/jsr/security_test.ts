import { assertEquals, assertStringIncludes } from "@std/assert";
import { App, csp, csrf } from "fresh";
import { h } from "preact";

interface Post {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly status: number;
}

const posts: readonly Post[] = [
  { name: "no header", headers: {}, status: 200 },
  { name: "same origin", headers: { "sec-fetch-site": "same-origin" }, status: 200 },
  { name: "typed by the user", headers: { "sec-fetch-site": "none" }, status: 200 },
  { name: "same site", headers: { "sec-fetch-site": "same-site" }, status: 403 },
  { name: "cross site", headers: { "sec-fetch-site": "cross-site" }, status: 403 },
  { name: "own origin", headers: { origin: "http://localhost" }, status: 200 },
  { name: "other origin", headers: { origin: "http://evil.test" }, status: 403 },
  { name: "no origin", headers: { origin: "null" }, status: 403 },
];

for (const { name, headers, status } of posts) {
  Deno.test(`csrf: ${name}`, async () => {
    const app = new App<unknown>().use(csrf()).use(() => new Response("ok"));
    const ask = async (method: string) => {
      return (await app.handler()(new Request("http://localhost/", { method, headers }))).status;
    };
    assertEquals(await ask("POST"), status);
    assertEquals(await ask("GET"), 200);
  });
}

async function policyOf(options: Parameters<typeof csp>[0]): Promise<string> {
  const app = new App<unknown>().use(csp(options))
    .use((ctx) => ctx.render(h("script", null, "1")));
  const response = await app.handler()(new Request("http://localhost/"));
  const nonce = /nonce="([0-9a-f]{32})"/.exec(await response.text())?.[1] ?? "none";
  const policy = response.headers.get("content-security-policy") ?? "";
  return policy.replaceAll(nonce, "NONCE");
}

Deno.test("csp: the defaults", async () => {
  assertEquals(
    await policyOf({}),
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
      "font-src 'self'; img-src 'self' data:; media-src 'self' data: blob:; " +
      "worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'self'; " +
      "form-action 'self'; frame-ancestors 'none'; upgrade-insecure-requests",
  );
});

Deno.test("csp: a nonce takes the place of what is unsafe", async () => {
  const policy = await policyOf({ useNonce: true });
  assertStringIncludes(policy, "script-src 'self' 'nonce-NONCE'; style-src 'self' 'nonce-NONCE';");
  assertEquals(policy.includes("unsafe-inline"), false);
});

Deno.test("csp: own directives replace those of their name", async () => {
  const policy = await policyOf({ csp: ["img-src 'none'", "frame-ancestors 'self'"] });
  assertStringIncludes(policy, "upgrade-insecure-requests; img-src 'none'; frame-ancestors 'self'");
  assertEquals(policy.includes("img-src 'self'"), false);
});

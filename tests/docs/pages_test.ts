import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { highlight, linkOf, readOutline, readPage, searchDocs } from "../../lib/docs/mod.ts";
import { startGateway } from "../e2e/gateway.ts";

Deno.test("docs: every page of the index, and the index, is served with its title and description", async () => {
  await using gateway = await startGateway();
  for (const { slug, title } of [{ slug: "", title: "Documentation" }, ...await readOutline()]) {
    const response = await fetch(`${gateway.base}/docs${slug && `/${slug}`}`);
    const html = await response.text();
    assertEquals(response.status, 200, slug);
    assertStringIncludes(html, `>${title} · Tessera docs</title>`);
    assertStringIncludes(html, '<meta name="description" content="');
    assert(!html.includes("&lt;!--"), `${slug} shows a comment`);
  }
});

Deno.test("docs: an unknown page is 404 in the same look, with similar pages", async () => {
  await using gateway = await startGateway();
  for (const path of ["/docs/how-to/rotate", "/docs/nothing", "/docs/how-to/%2e%2e/%2e%2e/deno"]) {
    const response = await fetch(gateway.base + path, { headers: { accept: "text/html" } });
    assertEquals(response.status, 404, path);
    const html = await response.text();
    if (path.endsWith("rotate")) assertStringIncludes(html, 'href="/docs/how-to/rotate-keys"');
  }
});

Deno.test("docs: a page's Markdown is at its address with .md", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/docs/how-to/set-a-budget.md`);
  const source = await Deno.readTextFile(
    new URL("../../docs/how-to/set-a-budget.md", import.meta.url),
  );
  assertEquals(response.headers.get("content-type"), "text/plain; charset=utf-8");
  assertEquals(await response.text(), source);
});

Deno.test("docs: every link within the documents leads to a page with that heading, or to a file", async () => {
  await using gateway = await startGateway();
  const addresses = new Set(["/docs", "/docs/api", "/docs/api/events"]);
  for (const { slug } of await readOutline()) addresses.add(`/docs/${slug}`);
  const faults: string[] = [];
  for (const address of addresses) {
    for (const link of await localLinks(gateway.base, address)) {
      const [path, anchor] = link.split("#");
      if (path && !await isServed(gateway.base, path)) faults.push(`${address}: ${link}`);
      else if (
        anchor && !(await pageAt(gateway.base, path || address)).includes(`id="${anchor}"`)
      ) {
        faults.push(`${address}: no ${link}`);
      }
    }
  }
  assertEquals(faults, []);
});

const fetched = new Map<string, Promise<{ readonly status: number; readonly text: string }>>();

function answerAt(base: string, path: string) {
  const known = fetched.get(path);
  if (known) return known;
  const answer = fetch(base + path).then(async (response) => {
    return { status: response.status, text: await response.text() };
  });
  fetched.set(path, answer);
  return answer;
}

async function isServed(base: string, path: string): Promise<boolean> {
  return (await answerAt(base, path)).status === 200;
}

async function pageAt(base: string, path: string): Promise<string> {
  return (await answerAt(base, path)).text;
}

async function localLinks(base: string, address: string): Promise<Set<string>> {
  const [, main = ""] = (await pageAt(base, address)).split("<main");
  const links = main.matchAll(/(?:href|src)="((?:\/docs|\/openapi|#)[^"]*)"/g);
  return new Set([...links].map(([, link = ""]) => link));
}

Deno.test("docs: pictures and the dashboard are served; decisions and links to them are not", async () => {
  await using gateway = await startGateway();
  const typeOf = async (path: string) => {
    const response = await fetch(`${gateway.base}/docs/${path}`);
    await response.body?.cancel();
    return [response.status, response.headers.get("content-type")];
  };
  assertEquals(await typeOf("images/overview-light.webp"), [200, "image/webp"]);
  assertEquals(await typeOf("grafana.json"), [200, "application/json"]);
  for (const path of ["decisions", "decisions/0006-money", "decisions/0006-money.md"]) {
    assertEquals((await typeOf(path))[0], 404, path);
  }
  for (const path of ["images/../../deno.json", "images/none.svg", "../deno.json"]) {
    assertEquals((await typeOf(path.replaceAll("..", "%2e%2e")))[0], 404, path);
  }
  const { text } = await answerAt(gateway.base, "/docs/reference/fidelity");
  assertStringIncludes(text, "the call is metered by it");
  assert(!text.includes("(why)"), "an aside without its link");
});

Deno.test("docs: only reading is possible", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/docs`, { method: "POST", body: "{}" });
  assertEquals([response.status, (await response.json()).error.code], [404, "unknown_endpoint"]);
});

const searches = [
  { query: "trusted proxy", finds: "/docs/how-to/run-behind-a-proxy" },
  { query: "rotat", finds: "/docs/how-to/rotate-keys" },
  { query: "codexx", finds: "/docs/how-to/connect-coding-agents#codex" },
  { query: "retry-after", finds: "/docs/reference/headers#answers" },
];

for (const { query, finds } of searches) {
  Deno.test(`docs: a search for ${query} finds ${finds}`, async () => {
    const found = (await searchDocs(query)).map(({ href }) => href);
    assert(found.includes(finds), found.join("\n"));
  });
}

Deno.test("docs: a search of no known word, or of none, finds nothing", async () => {
  assertEquals([await searchDocs("qqqzzz"), await searchDocs("…")], [[], []]);
});

Deno.test("docs: readPage reads no file outside the documents", async () => {
  for (const slug of ["../README", "start/../../deno", "README", "start/none", "/etc/passwd", ""]) {
    assertEquals(await readPage(slug), undefined, slug);
  }
});

const links = [
  { href: "../start/sdks.md#openai", expected: "/docs/start/sdks#openai" },
  { href: "../README.md", expected: "/docs" },
  { href: "#cost", expected: "#cost" },
  { href: "https://deno.com", expected: "https://deno.com" },
  { href: "../../README.md", expected: undefined },
  { href: "../decisions/0006-money.md", expected: undefined },
  { href: "../grafana.json", expected: "/docs/grafana.json" },
  { href: "javascript:alert(1)", expected: undefined },
];

for (const { href, expected } of links) {
  Deno.test(`docs: linkOf ${href} is ${expected}`, () => {
    assertEquals(linkOf(href, "how-to/set-a-budget"), expected);
  });
}

Deno.test("docs: highlight escapes, and leaves unknown languages alone", () => {
  assertStringIncludes(highlight("echo '<b>&lt;'", "sh") ?? "", "&lt;b>&amp;lt;");
  assertEquals([highlight("x", "text"), highlight("x", "constructor")], [undefined, undefined]);
});

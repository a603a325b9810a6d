import { assert, assertNotEquals, assertRejects } from "@std/assert";
import { searchDocs } from "../../lib/docs/mod.ts";

Deno.test("docs: a search after one that could not read the documents builds the index again", async () => {
  const { readTextFile } = Deno;
  Deno.readTextFile = () => Promise.reject(new Error("Too many open files"));
  try {
    await assertRejects(() => searchDocs("budget"), Error, "Too many open files");
  } finally {
    Deno.readTextFile = readTextFile;
  }
  assertNotEquals(await searchDocs("budget"), []);
});

/** The words of operators, and the title of the page that they look for. */
const searches = [
  { query: "upgrade", title: /^Upgrade/ },
  { query: "kubernetes", title: /Kubernetes|several machines/ },
  { query: "helm", title: /Kubernetes|several machines/ },
  { query: "forgot password", title: /^Manage users/ },
  { query: "fallback models", title: /^Chain models/ },
  { query: "invalid api key", title: /^Errors/ },
  { query: "spend limit", title: /^Set a budget/ },
  { query: "virtual key", title: /^Rotate keys/ },
  { query: "budget", title: /^Set a budget/ },
  { query: "429", title: /^Errors/ },
];

for (const { query, title } of searches) {
  Deno.test(`docs: the first two matches of "${query}" have a page titled ${title}`, async () => {
    const found = (await searchDocs(query)).slice(0, 2).map(({ page }) => page);
    assert(found.some((page) => title.test(page)), found.join("\n"));
  });
}

import { assertEquals, assertMatch } from "@std/assert";
import { createBatch } from "../../../lib/funds/mod.ts";
import {
  listPath,
  pageOf,
  readPageNumber,
  readSort,
} from "../../../lib/console/page/list_query.ts";
import { createGroup, createUpstream, updateGroup } from "../../../lib/store/catalog/mod.ts";
import { addKey, administrator, nowMs, testConsole } from "../console.ts";
import { sample } from "../upstreams/upstream_scene.ts";

const usual = { column: "name", descending: false } as const;

Deno.test("list query: what an address does not say, or says wrongly, is the usual", () => {
  for (
    const [text, expected] of [
      ["", usual],
      ["sort=price", { column: "price", descending: false }],
      ["sort=-price", { column: "price", descending: true }],
      ["sort=__proto__", usual],
      ["sort=--price", usual],
    ] as const
  ) assertEquals(readSort(new URLSearchParams(text), ["name", "price"], usual), expected);
  for (const [text, page] of [["", 1], ["3", 3], ["0", 1], ["-2", 1], ["9999999", 1]] as const) {
    assertEquals(readPageNumber(new URLSearchParams({ page: text })), page);
  }
  assertEquals(listPath("/x", { q: "", sort: undefined }), "/x");
  assertEquals(listPath("/x", { q: "a b", sort: "-y" }), "/x?q=a+b&sort=-y");
  assertEquals(pageOf([1, 2, 3], 2, 2), { rows: [3], hasMore: false });
});

testConsole("groups: filtered, ordered and paged by address, models too", async (console) => {
  const { store, directory } = console;
  const models = Array.from({ length: 51 }, (_, n) => ({ id: `m-${String(n).padStart(2, "0")}` }));
  await createUpstream(store, sample({ models }));
  const group = { models: ["*"], formats: ["*"], priceRatio: 3, origin: "console" } as const;
  await createGroup(store, { ...group, id: "zeta" });
  await updateGroup(store, "coding", (one) => ({ ...one, priceRatio: 2 }));
  await addKey(store, { id: "key_1", groupId: "coding" });
  await directory.refresh();
  const browser = await console.signedIn(administrator);
  const list = "/console/admin/groups";
  for (
    const [query, expected] of [
      ["", ["coding", "default", "zeta"]],
      ["?sort=-name", ["zeta", "default", "coding"]],
      ["?sort=ratio", ["default", "coding", "zeta"]],
      ["?sort=-keys", ["coding", "default", "zeta"]],
      ["?q=ET", ["zeta"]],
      ["?q=nothing", []],
    ] as const
  ) assertEquals(groupsOf((await browser.get(list + query)).html), [...expected], query);
  const { html } = await browser.get(`${list}?sort=ratio`);
  assertMatch(html, /aria-sort="ascending"[^>]*><a href="[^"]*sort=-ratio"/);
  assertMatch(html, /href="[^"]*sort=ratio&amp;models=2"/);
  assertEquals(modelsIn((await browser.get(`${list}?models=2`)).html), 1);
  assertEquals(modelsIn((await browser.get(`${list}?model=m-1`)).html), 10);
});

testConsole("codes: batches are ordered by address", async (console) => {
  const { store } = console;
  for (const [at, name] of ["b", "a", "c"].entries()) {
    const draft = { name, amountNanoUsd: BigInt(9 - at), count: at + 1, usesMax: 1 };
    await createBatch(store, administrator, draft, { nowMs: nowMs - at, codesMax: 9 });
  }
  const browser = await console.signedIn(administrator);
  for (
    const [sort, expected] of [
      ["", "bac"],
      ["created", "cab"],
      ["name", "abc"],
      ["-amount", "bac"],
      ["-codes", "cab"],
    ]
  ) {
    const { html } = await browser.get(`/console/admin/codes?sort=${sort}`);
    const names = html.matchAll(/\/console\/admin\/codes\/[^"?]+"[^>]*>(\w)<\/a>/g);
    assertEquals([...names].map(([, name]) => name).join(""), expected, sort);
  }
});

function groupsOf(html: string): string[] {
  return [...html.matchAll(/href="\/console\/admin\/groups\/([^"]+)"/g)].map(([, id]) => id)
    .filter((id) => id !== "new");
}

function modelsIn(html: string): number {
  return html.match(/>m-\d\d</g)?.length ?? 0;
}

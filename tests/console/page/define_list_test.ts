import { assertEquals, assertMatch } from "@std/assert";
import {
  defineList,
  listHref,
  listPage,
  nextSort,
  readQuery,
} from "../../../lib/console/page/define_list.ts";
import { choice, otherPage, search } from "../../../lib/console/page/list_fields.ts";
import { createBatch } from "../../../lib/funds/mod.ts";
import { createGroup, createUpstream, updateGroup } from "../../../lib/store/catalog/mod.ts";
import { servicesUnderTest, testConsole } from "../console.ts";
import { administrator, nowMs } from "../people.ts";
import { addKey } from "../records.ts";
import { sample } from "../upstreams/upstream_scene.ts";

interface Fruit {
  readonly name: string;
  readonly price?: number;
}

const fruits = defineList<Fruit>()({
  path: "/fruits",
  fields: {
    q: search(({ name }) => [name]),
    cost: choice(["free", "paid"], ({ price }, cost) => (price === 0) === (cost === "free")),
    boxes: otherPage(),
  },
  sort: {
    columns: { name: ({ name }) => name, price: ({ price }) => price },
    usual: { column: "name", descending: false },
    descendingFirst: ["price"],
  },
  pageRows: 2,
});

const queryOf = (address: string) => readQuery(fruits, new URLSearchParams(address));

Deno.test("readQuery: ignores unknown fields, values and columns", () => {
  const usual = queryOf("");
  for (const address of ["sort=__proto__", "sort=--price", "cost=much", "page=0", "page=-2"]) {
    assertEquals(queryOf(address), usual, address);
  }
  assertEquals(queryOf("page=9999999").page, 1);
  assertEquals(queryOf("sort=-price").sort, { column: "price", descending: true });
});

Deno.test("listHref: writes what readQuery reads, without the usual values", () => {
  for (const address of ["", "q=a+b&cost=free&boxes=2&sort=-price"]) {
    const query = queryOf(`${address}&page=3`);
    assertEquals(listHref(fruits, query), address ? `/fruits?${address}` : "/fruits");
    assertEquals(listHref(fruits, query, query), `/fruits?${address && `${address}&`}page=3`);
  }
  assertEquals(listHref(fruits, queryOf("sort=name")), "/fruits");
});

Deno.test("nextSort: the column's first direction, then the other one", () => {
  const first = { column: "price", descending: true } as const;
  assertEquals(nextSort(fruits, "price", queryOf("")), first);
  assertEquals(nextSort(fruits, "price", queryOf("sort=-price")).descending, false);
});

testConsole("listPage: rows without a value come last in both directions", async () => {
  const services = servicesUnderTest();
  const rows: Fruit[] = [{ name: "pear" }, { name: "fig", price: 2 }, { name: "kiwi", price: 0 }];
  const namesAt = async (address: string) => {
    const page = await listPage(fruits, rows, { query: queryOf(address), services });
    return [page.rows.map(({ name }) => name).join(), page.found, page.total, page.hasMore];
  };
  assertEquals(await namesAt("sort=price"), ["kiwi,fig", 3, 3, true]);
  assertEquals(await namesAt("sort=-price"), ["fig,kiwi", 3, 3, true]);
  assertEquals(await namesAt("sort=-price&page=2"), ["pear", 3, 3, false]);
  assertEquals(await namesAt("q=I&cost=free"), ["kiwi", 1, 3, false]);
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
  assertMatch(
    (await browser.get(`${list}?models=1&sort=ratio`)).html,
    /href="[^"]*models=2&amp;sort=ratio"/,
  );
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

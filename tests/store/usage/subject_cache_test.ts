import { assertEquals } from "@std/assert";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { listSubjects, subjects } from "../../../lib/store/usage/mod.ts";
import { SubjectCache } from "../../../lib/store/usage/rollup_cache.ts";
import { leaveRows } from "../log/log_rows.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const models = { dimension: "model", scope: "" } as const;

Deno.test("SubjectCache reads a list once, until a new subject is added", async () => {
  const cache = new SubjectCache();
  let reads = 0;
  const read = () => Promise.resolve([`model ${++reads}`]);
  const values = async () => [...await cache.values(models, read)];
  assertEquals(await values(), ["model 1"]);
  cache.noteAdded([subjects.model("model 1"), subjects.account("a")]);
  assertEquals(await values(), ["model 1"]);
  cache.noteAdded([subjects.model("model 2")]);
  assertEquals(await values(), ["model 2"]);
});

Deno.test("SubjectCache does not cache a read that ran during an addition", async () => {
  const cache = new SubjectCache();
  const reading = Promise.withResolvers<string[]>();
  const values = cache.values(models, () => reading.promise);
  cache.noteAdded([subjects.model("new")]);
  reading.resolve(["old"]);
  assertEquals([...await values], ["old"]);
  assertEquals([...await cache.values(models, () => Promise.resolve(["new"]))], ["new"]);
});

testOnStores("listSubjects lists a model with its first call", async (store) => {
  const names = async () =>
    (await Array.fromAsync(listSubjects(store, "model", ""))).map(({ value }) => value);
  for (const [n, model] of ["one", "two"].entries()) {
    await leaveRows(store, [{ ...sampleRow(n + 1), model, upstreamId: "acme", status: 200 }]);
    await compactRows(store);
    assertEquals((await names()).includes(model), true, model);
  }
});

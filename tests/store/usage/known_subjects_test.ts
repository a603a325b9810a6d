import { assertEquals } from "@std/assert";
import { KnownSubjects } from "../../../lib/store/usage/known_subjects.ts";
import { compactRows, listSubjects, subjects } from "../../../lib/store/mod.ts";
import { leaveRows } from "../log/log_rows.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const models = { dimension: "model", scope: "" } as const;

Deno.test("known subjects: read once, until one is added that is not among them", async () => {
  const known = new KnownSubjects();
  let reads = 0;
  const read = () => Promise.resolve([`model ${++reads}`]);
  const values = async () => [...await known.values(models, read)];
  assertEquals(await values(), ["model 1"]);
  known.noteAdded([subjects.model("model 1"), subjects.account("a")]);
  assertEquals(await values(), ["model 1"]);
  known.noteAdded([subjects.model("model 2")]);
  assertEquals(await values(), ["model 2"]);
});

Deno.test("known subjects: what was being read while one was added is not kept", async () => {
  const known = new KnownSubjects();
  const reading = Promise.withResolvers<string[]>();
  const values = known.values(models, () => reading.promise);
  known.noteAdded([subjects.model("new")]);
  reading.resolve(["old"]);
  assertEquals([...await values], ["old"]);
  assertEquals([...await known.values(models, () => Promise.resolve(["new"]))], ["new"]);
});

testOnStores("known subjects: the first call of a model is seen at once", async (store) => {
  const names = async () =>
    (await Array.fromAsync(listSubjects(store, "model", ""))).map(({ value }) => value);
  for (const [n, model] of ["one", "two"].entries()) {
    await leaveRows(store, [{ ...sampleRow(n + 1), model, upstreamId: "acme", status: 200 }]);
    await compactRows(store);
    assertEquals((await names()).includes(model), true, model);
  }
});

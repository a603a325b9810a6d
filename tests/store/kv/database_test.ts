import { assertEquals, assertRejects } from "@std/assert";
import { Database } from "../../../lib/store/kv/database.ts";
import type { Changes, Engine } from "../../../lib/store/kv/engine.ts";
import { decodeValue, encodeValue } from "../../../lib/store/kv/value.ts";
import { StoreHealth, StoreUnavailable } from "../../../lib/store/mod.ts";

/** An engine of one entry, which keeps what it is asked to commit. */
function engineOf(value: unknown, commit: () => void = () => {}) {
  const commits: Changes[] = [];
  const entry = { key: ["a"], value, versionstamp: "1" };
  const engine: Engine = {
    get: () => Promise.resolve(entry),
    getMany: (keys) => Promise.resolve(keys.map(() => entry)),
    list: async function* () {
      yield await Promise.resolve(entry);
    },
    commit: (changes) => {
      commits.push(changes);
      return Promise.resolve().then(commit).then(() => ({ ok: true, versionstamp: "2" }));
    },
    watch: () => ReadableStream.from([[entry]]),
    close: () => {},
  };
  return { database: new Database(engine, new StoreHealth("here")), commits };
}

Deno.test("Database: every kind of read decodes what an engine stores as bytes", async () => {
  const { database } = engineOf(encodeValue({ n: 1n }));
  const wanted = { n: 1n };
  assertEquals((await database.get(["a"])).value, wanted);
  assertEquals((await database.getMany([["a"]]))[0].value, wanted);
  for await (const { value } of database.list({ prefix: [] })) assertEquals(value, wanted);
  for await (const [{ value }] of database.watch([["a"]])) assertEquals(value, wanted);
});

Deno.test("Database: an engine commits the checks and changes of an operation in their order", async () => {
  const { database, commits } = engineOf(null);
  const check = { key: ["b"], versionstamp: null };
  await database.atomic().check(check).set(["b"], { n: 1n }, { expireIn: 5 }).delete(["c"])
    .sum(["d"], 2n).min(["e"], 3n).max(["f"], 4n).commit();
  const [{ checks, mutations }] = commits;
  assertEquals(checks, [check]);
  assertEquals(
    mutations.map(({ type, key, ...rest }) => [type, key[0], "value" in rest ? rest.value : null])
      .map(([type, key, value]) => [
        type,
        key,
        value instanceof Deno.KvU64 ? value.value : value && decodeValue(value as Uint8Array),
      ]),
    [["set", "b", { n: 1n }], ["delete", "c", null], ["sum", "d", 2n], ["min", "e", 3n], [
      "max",
      "f",
      4n,
    ]],
  );
  assertEquals(mutations[0].type === "set" && mutations[0].expireIn, 5);
});

Deno.test("Database: after a full disk, a commit throws StoreUnavailable, and a read goes on", async () => {
  const { database, commits } = engineOf(encodeValue(1), () => {
    throw new Error("database or disk is full");
  });
  await assertRejects(() => database.set(["a"], 1), StoreUnavailable);
  assertEquals(commits.length, 1);
  assertEquals((await database.get(["a"])).value, 1);
});

Deno.test("Database: nothing reaches an engine whose file is damaged", async () => {
  const { database, commits } = engineOf(encodeValue(1), () => {
    throw new Error("database disk image is malformed");
  });
  await assertRejects(() => database.delete(["a"]), StoreUnavailable);
  await assertRejects(() => database.delete(["a"]), StoreUnavailable);
  assertEquals(commits.length, 1);
});

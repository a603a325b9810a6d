import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { encodeValue } from "../../../lib/store/kv/value.ts";
import { openStore, type Store, StoreError } from "../../../lib/store/mod.ts";
import { entryOf, lineOf, type PortableEntry } from "../../../lib/store/transfer/entry_line.ts";
import {
  exportedEntries,
  exportLines,
  exportSteadily,
  fileEntries,
  importEntries,
  readLines,
  verifyExport,
} from "../../../lib/store/transfer/mod.ts";
import { withMemoryStore, withTempFolder } from "../temp_store.ts";

const nowMs = 1_800_000_000_000;

const part = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  fc.boolean(),
  fc.uint8Array({ maxLength: 9 }),
);
const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    fc.string().map((text) => `~${text}\n`),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 30 }),
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value")),
  ),
})).value;
const entry: fc.Arbitrary<PortableEntry> = fc.record({
  key: fc.array(part, { minLength: 1, maxLength: 4 }),
  value: fc.oneof(
    plain.map(encodeValue),
    fc.uint8Array({ maxLength: 30 }),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Uint8Array.of(0xfe, 1, ...bytes)),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((sum) => new Deno.KvU64(sum)),
  ),
  expiresAtMs: fc.integer({ min: 0 }),
}, { requiredKeys: ["key", "value"] });

Deno.test("entryOf: reads back every entry that lineOf wrote", () => {
  fc.assert(fc.property(entry, (entry) => {
    const line = lineOf(entry);
    assert(!line.includes("\n"));
    assertEquals(entryOf(line), entry);
  }));
});

/** Entries as the store's functions write them: in its own encoding, or in one of theirs. */
async function fill(store: Store): Promise<void> {
  const values = fc.sample(plain, 300);
  for (const [at, value] of values.entries()) {
    const options = at % 3 === 0 ? { expireIn: 60_000 * (at + 1) } : {};
    await store.kv.set(["group", at, `${at}`, BigInt(at)], value, options);
  }
  await store.kv.set(["record_part", "a"], new Uint8Array([0xfe, 1, 2, 0, 10]), {
    expireIn: 90_000,
  });
  await store.kv.atomic().sum(["ledger_total", "a", "credit"], 2n ** 63n).commit();
}

async function linesOf(path: string): Promise<string[]> {
  return await Array.fromAsync(exportLines(fileEntries(path, { nowMs: Date.now() }), nowMs));
}

async function* linesIn(text: string): AsyncGenerator<string> {
  for (const line of text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined)) yield line;
}

/** A store in a file that is full, and the text of its export. */
async function withExport(run: (text: string, folder: string) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    const path = `${folder}/from.db`;
    const store = await openStore({ location: { type: "file", path } });
    await fill(store);
    store.close();
    await run((await linesOf(path)).join(""), folder);
  });
}

function importInto(store: Store, text: string) {
  return importEntries(store, exportedEntries(linesIn(text)), { nowMs: Date.now() });
}

Deno.test("an import of an export has the same entries, which expire at the same times", async () => {
  await withExport(async (text, folder) => {
    const path = `${folder}/to.db`;
    const entries = await verifyExport(linesIn(text));
    const store = await openStore({ location: { type: "file", path }, isImport: true });
    const written = entries - 1; // the new store has noted the format itself
    assertEquals(await importInto(store, text), { entries: written, expired: 0 });
    store.close();
    const before = [...fileEntries(`${folder}/from.db`, { nowMs: 0 })];
    const after = [...fileEntries(path, { nowMs: 0 })];
    assertEquals(after.map(withoutExpiry), before.map(withoutExpiry));
    for (const [at, { expiresAtMs }] of before.entries()) {
      const imported = after[at].expiresAtMs;
      assertEquals(imported === undefined, expiresAtMs === undefined);
      assert(Math.abs((imported ?? 0) - (expiresAtMs ?? 0)) < 5_000);
    }
  });
});

function withoutExpiry({ key, value }: PortableEntry) {
  return { key, value };
}

Deno.test("verifyExport: refuses an export that was cut or changed anywhere", async () => {
  await withExport(async (text) => {
    const ends = [
      0,
      1,
      text.indexOf("\n") + 1,
      text.length >> 1,
      text.lastIndexOf("\n", text.length - 2),
    ];
    for (const end of ends) {
      await assertRejects(
        () => verifyExport(linesIn(text.slice(0, end))),
        StoreError,
        "Cannot import",
      );
    }
    const at = text.indexOf('"json":') + 8;
    const changed = text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);
    await assertRejects(
      () => verifyExport(linesIn(changed)),
      StoreError,
      "it is damaged or was changed",
    );
  });
});

Deno.test("importEntries: refuses a store that is not empty", async () => {
  await withExport(async (text) => {
    await withMemoryStore(async (store) => {
      await assertRejects(() => importInto(store, text), StoreError, "is not empty");
    });
  });
});

Deno.test("an interrupted import keeps the store closed, and the next one starts again", async () => {
  await withExport(async (text, folder) => {
    const location = { type: "file", path: `${folder}/to.db` } as const;
    const store = await openStore({ location, isImport: true });
    const broken = (async function* () {
      yield* exportedEntries(linesIn(text.slice(0, text.length >> 1)));
      yield { key: ["user", "not in the export"], value: encodeValue(1) };
      await Promise.reject(new Error("interrupted"));
    })();
    await assertRejects(() => importEntries(store, broken, { nowMs }), Error, "interrupted");
    store.close();
    await assertRejects(
      () => openStore({ location }),
      StoreError,
      "import into it was interrupted",
    );
    const again = await openStore({ location, isImport: true });
    await importInto(again, text);
    assertEquals((await again.kv.get(["user", "not in the export"])).value, null);
    again.close();
    (await openStore({ location })).close();
  });
});

Deno.test("exportSteadily: reads again after a change, and gives up a store that keeps changing", async () => {
  await withMemoryStore(async (store) => {
    await fill(store);
    let readings = 0;
    const exportWith = (changes: number) => {
      readings = 0;
      return exportSteadily(store, {
        nowMs,
        responseRetentionMs: 1,
        write: async (lines) => {
          const { length } = await Array.fromAsync(lines);
          if (readings++ < changes) await store.kv.set(["group", 0], readings);
          return length;
        },
      });
    };
    const total = (await Array.fromAsync(store.kv.list({ prefix: [] }))).length;
    assertEquals(await exportWith(0), total + 2);
    assertEquals(readings, 1);
    assertEquals([await exportWith(1), readings], [total + 3, 2]);
    await assertRejects(() => exportWith(9), StoreError, "Stop its gateways");
  });
});

const session = { expiresAtMs: nowMs + 60_000 };
const changes = [
  {
    what: "an entry has expired",
    readings: 1,
    change: (kv: Store["kv"]) => kv.delete(["session", "b"]),
  },
  {
    what: "the last entry has expired",
    readings: 1,
    change: (kv: Store["kv"]) => kv.delete(["session", "c"]),
  },
  {
    what: "a new entry",
    readings: 2,
    change: (kv: Store["kv"]) => kv.set(["session", "d"], session),
  },
  {
    what: "another version of an entry",
    readings: 2,
    change: (kv: Store["kv"]) => kv.set(["session", "b"], session),
  },
  {
    what: "the deletion of an entry that never expires",
    readings: 2,
    change: (kv: Store["kv"]) => kv.delete(["group", "a"]),
  },
];

for (const { what, readings, change } of changes) {
  Deno.test(`exportSteadily: ${readings} readings suffice after ${what}`, async () => {
    await withMemoryStore(async (store) => {
      await store.kv.set(["group", "a"], 1);
      for (const id of ["a", "b", "c"]) await store.kv.set(["session", id], session);
      let count = 0;
      const write = async (lines: AsyncIterable<string>) => {
        const { length } = await Array.fromAsync(lines);
        if (count++ === 0) await change(store.kv);
        return length;
      };
      await exportSteadily(store, { nowMs, responseRetentionMs: 1, write });
      assertEquals(count, readings);
    });
  });
}

Deno.test("exportSteadily: asks for no more values at once than come in time on a slow line", async () => {
  await withMemoryStore(async (store) => {
    const { list } = store.kv;
    const sizes: (number | undefined)[] = [];
    store.kv.list = (selector, options) => {
      sizes.push(options?.batchSize);
      return list.call(store.kv, selector, options) as AsyncGenerator<never>;
    };
    const write = async (lines: AsyncIterable<string>) => (await Array.fromAsync(lines)).length;
    await exportSteadily(store, { nowMs, responseRetentionMs: 1, write });
    assertEquals(sizes, [100, 100]);
  });
});

for (const name of ["wrong.bin", "zeros.gz"]) {
  Deno.test(`readLines: gives up ${name} at a line that is longer than any of an export`, async () => {
    await withTempFolder(async (folder) => {
      const path = `${folder}/${name}`;
      const bytes = new Uint8Array(20_000_000).fill(0x30);
      await Deno.writeFile(path, name.endsWith(".gz") ? gzipSync(bytes) : bytes);
      const read = () => Array.fromAsync(readLines(path));
      await assertRejects(read, StoreError, "Cannot import the file: it is not an export");
    });
  });
}

Deno.test("readLines: refuses a file that is not compressed as its name says, or is cut", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/store.jsonl.gz`;
    const read = () => Array.fromAsync(readLines(path));
    for (const bytes of [new Uint8Array(99), gzipSync("a line\n".repeat(99)).subarray(0, 30)]) {
      await Deno.writeFile(path, bytes);
      await assertRejects(read, StoreError, "not compressed with gzip, or is damaged");
    }
  });
});

const one = '{"key":["group","b"],"json":1}';
const wrong = [
  { lines: ['{"key":5,"json":1}'], words: "line 2 is not an entry" },
  { lines: ['{"key":[],"json":1}'], words: "line 2 is not an entry" },
  { lines: [one, '{"key":["x",null],"json":1}'], words: "line 3 is not an entry" },
  { lines: ['{"key":[{"number":"x"}],"json":1}'], words: "line 2 is not an entry" },
  { lines: ['{"key":["x"],"expires":"never","json":1}'], words: "line 2 is not an entry" },
  { lines: ['{"key":["x"]}'], words: "line 2 is not an entry" },
  { lines: ['{"key":["x"],"sum":"-1"}'], words: "line 2 is not an entry" },
  { lines: ["null"], words: "line 2 is not an entry" },
  { lines: [one, one], words: "the key in line 3 does not follow" },
  { lines: [one, '{"key":["group","a"],"json":1}'], words: "the key in line 3 does not follow" },
  {
    lines: ['{"key":["log","a"],"json":1}'],
    words: "line 2 has a form of commits before 2026-11-29",
  },
  {
    lines: ['{"key":["rollup_hour","all"],"sum":"9"}'],
    words: "line 2 has a form of commits before",
  },
  {
    lines: ['{"key":["log_page","a"],"base64":"/gEC"}'],
    words: "line 2 has a form of commits before",
  },
  {
    lines: [one, '{"key":["user","a"],"json":{"version":1,"id":"a"}}'],
    words: "line 3 has a form of commits before",
  },
  { lines: ['{"key":["importing"],"json":true}'], words: "it is a part of an import" },
];

for (const { lines, words } of wrong) {
  Deno.test(`verifyExport: refuses ${lines.join(" ")}, although the checksum is right`, async () => {
    const header = JSON.stringify({ tessera: "export", version: 1, format: 5 });
    const text = [header, ...lines].map((line) => `${line}\n`).join("");
    const sha256 = createHash("sha256").update(text).digest("hex");
    const footer = JSON.stringify({ entries: lines.length, sha256 });
    const refused = () => verifyExport(linesIn(`${text}${footer}\n`));
    await assertRejects(refused, StoreError, words);
  });
}

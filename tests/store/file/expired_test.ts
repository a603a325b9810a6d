import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../../../lib/store/mod.ts";

const rows = 50_000;
const rowBytes = 1_000;

/** Adds expired values as a store has them that was closed for weeks. */
function addExpired(path: string, count: number, expiredAtMs = Date.now() - 86_400_000): void {
  const database = new DatabaseSync(path);
  const insert = database.prepare(
    "INSERT INTO kv (k, v, v_encoding, version, seq, expiration_ms) VALUES (?, ?, 2, 1, 0, ?)",
  );
  database.exec("BEGIN");
  for (let at = 0; at < count; at++) {
    const key = new TextEncoder().encode(`\x02old\x00\x02${1_000_000 + at}\x00`);
    insert.run(key, new Uint8Array(rowBytes), expiredAtMs);
  }
  database.exec("COMMIT");
  database.close();
}

function rowsIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare("SELECT count(*) AS count FROM kv").get();
  database.close();
  return Number(found?.count);
}

async function withStore(work: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "tessera-expired-" });
  try {
    const path = `${folder}/tessera.db`;
    (await openStore({ location: { type: "file", path } })).close();
    await work(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a store with 50,000 expired values takes commits at once, and gives their space back", () =>
  withStore(async (path) => {
    addExpired(path, rows);
    const lines: string[] = [];
    const report = (line: string) => lines.push(line);
    const store = await openStore({ location: { type: "file", path }, report });
    let longestMs = 0;
    for (const endAt = performance.now() + 3_000; performance.now() < endAt;) {
      const startedAt = performance.now();
      await store.kv.set(["t"], 1);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
    store.close();
    assert(longestMs < 500, `a commit took ${longestMs} ms`);
    assert(rowsIn(path) < 100, "expired values are gone");
    const { size } = await Deno.stat(path);
    assert(size < 10_000_000, `the file still has ${size} bytes`);
    assert(lines.some((line) => line.includes("50,000 expired")), lines.join("\n"));
  }));

Deno.test("a store keeps values that have not expired, and opens without a word", () =>
  withStore(async (path) => {
    addExpired(path, 20_000, Date.now() + 86_400_000);
    const lines: string[] = [];
    const before = rowsIn(path);
    const store = await openStore({
      location: { type: "file", path },
      report: (line) => lines.push(line),
    });
    store.close();
    assertEquals([rowsIn(path) >= before, lines], [true, []]);
  }));

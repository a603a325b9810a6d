import { assert, assertEquals } from "@std/assert";
import { ArchiveLease, removeRows } from "../../lib/store/archive/mod.ts";
import { compactRows } from "../../lib/store/settling/mod.ts";
import { leaveRows, pagedRows } from "../store/log/log_rows.ts";
import { baseMs, requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

/** Refused calls of one minute that share little: each has a tag of its own, and ended out of order. */
const rows = Array.from({ length: 6_000 }, (_, n) => {
  const atMs = baseMs + Math.floor((n * 7_919) % 6_000 * 59_000 / 6_000);
  return sampleRow(n, {
    id: requestIdOf(atMs, n),
    atMs,
    status: 429,
    outcome: "refused",
    errorCode: "rate_limit_exceeded",
    model: "acme/large",
    userAgent: "OpenAI/JS 7.57.0",
    tag: crypto.randomUUID(),
  });
}).sort((a, b) => a.id < b.id ? -1 : 1);

Deno.test("archive: rows that share no cells leave full pages in commits of an allowed size", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, rows);
    await compactRows(store);
    const ids = new Set(rows.filter((_, n) => n % 50 === 0).map(({ id }) => id));
    const lease = await ArchiveLease.take(store);
    assert(lease);
    const [newestId, oldestId] = [rows[rows.length - 1].id, rows[0].id];
    await removeRows(store, lease, { ids, newestId, oldestId });
    assertEquals(await pagedRows(store), rows.filter(({ id }) => !ids.has(id)));
  }));

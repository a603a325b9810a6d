import { assertEquals } from "@std/assert";
import {
  type AuditEntry,
  createAuditEntry,
  listAuditEntries,
} from "../../../lib/store/audit/mod.ts";
import { testOnStores } from "../temp_store.ts";

function draft(n: number, parts: Partial<AuditEntry> = {}): Omit<AuditEntry, "id"> {
  return {
    atMs: 1_000 + n,
    actorId: "owner",
    actorName: "mira@example.com",
    kind: "key",
    action: "created",
    targetId: `key_${n}`,
    targetName: `ci-${n}`,
    changes: [],
    ...parts,
  };
}

testOnStores("audit entries: newest first, page by page, each once", async (store) => {
  for (let n = 0; n < 7; n++) await createAuditEntry(store, draft(n));
  const names: string[] = [];
  let before: string | undefined;
  do {
    const page = await listAuditEntries(store, { before, limit: 3 });
    names.push(...page.entries.map(({ targetName }) => targetName));
    before = page.next;
  } while (before !== undefined);
  assertEquals(names, [6, 5, 4, 3, 2, 1, 0].map((n) => `ci-${n}`));
});

testOnStores("audit entries: every field of a filter must hold", async (store) => {
  await createAuditEntry(store, draft(1));
  await createAuditEntry(store, draft(2, { action: "deleted", ip: "203.0.113.7" }));
  await createAuditEntry(store, draft(3, { kind: "user", targetName: "Lea@example.com" }));
  const find = async (filter: Parameters<typeof listAuditEntries>[1]["filter"]) =>
    (await listAuditEntries(store, { filter, limit: 9 })).entries.map(({ targetId }) => targetId);
  assertEquals(await find({ kind: "key" }), ["key_2", "key_1"]);
  assertEquals(await find({ kind: "key", action: "deleted" }), ["key_2"]);
  assertEquals(await find({ text: "LEA@" }), ["key_3"]);
  assertEquals(await find({ text: "113.7" }), ["key_2"]);
  assertEquals(await find({ text: "mira", kind: "group" }), []);
});

import { assertEquals, assertRejects } from "@std/assert";
import { auditEntryKind } from "../../../lib/store/audit/audit_entry.ts";
import { keys } from "../../../lib/store/keys.ts";
import { listRecords } from "../../../lib/store/kv/record.ts";
import { StoreError } from "../../../lib/store/mod.ts";
import {
  createProject,
  getProject,
  listProjects,
  updateProject,
} from "../../../lib/store/projects/mod.ts";
import { sampleAudit, sampleProject } from "../samples.ts";
import { withMemoryStore } from "../temp_store.ts";

Deno.test("a project keeps its id through changes, and each change has its audit entry", async () => {
  await withMemoryStore(async (store) => {
    const audit = sampleAudit;
    await createProject(store, sampleProject(), { audit });
    await updateProject(
      store,
      "research",
      (project) => ({ ...project, id: "renamed", archivedAtMs: 5 }),
      { audit },
    );
    assertEquals(await getProject(store, "research"), sampleProject({ archivedAtMs: 5 }));
    assertEquals((await listProjects(store)).map(({ id }) => id), ["research"]);
    assertEquals((await listRecords(store, auditEntryKind, keys.auditEntries)).length, 2);
  });
});

Deno.test("createProject refuses a taken id, and writes no audit entry", async () => {
  await withMemoryStore(async (store) => {
    await createProject(store, sampleProject());
    await assertRejects(
      () => createProject(store, sampleProject(), { audit: sampleAudit }),
      StoreError,
      "research already exists",
    );
    assertEquals(await listRecords(store, auditEntryKind, keys.auditEntries), []);
  });
});

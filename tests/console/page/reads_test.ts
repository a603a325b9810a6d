import { assert } from "@std/assert";
import type { Store } from "../../../lib/store/mod.ts";
import { testConsole } from "../console.ts";
import { administrator } from "../people.ts";
import { addTeam } from "../team/mod.ts";

/** The most reads of the store for a page of a team, once past days are in memory. */
const most = {
  "/console?who=everyone": 55,
  "/console/token?who=everyone": 25,
  "/console/log?who=everyone&status=failed": 50,
  "/console/admin/users": 85,
} as const;

testConsole("pages of 51 accounts read the store a bounded number of times", async (console) => {
  await addTeam(console.store);
  await console.directory.refresh();
  const { get } = await console.signedIn(administrator);
  const reads = countReads(console.store);
  for (const [path, readsMax] of Object.entries(most)) {
    await get(path);
    reads.count = 0;
    await get(path);
    assert(reads.count <= readsMax, `${path} reads ${reads.count} times, at most ${readsMax}`);
  }
});

function countReads({ kv }: Store): { count: number } {
  const { get, getMany, list } = kv;
  const reads = { count: 0 };
  Object.assign(kv, {
    get: (...args: Parameters<Store["kv"]["get"]>) => (reads.count++, get.apply(kv, args)),
    getMany: (
      ...args: Parameters<Store["kv"]["getMany"]>
    ) => (reads.count++, getMany.apply(kv, args)),
    list: (...args: Parameters<Store["kv"]["list"]>) => (reads.count++, list.apply(kv, args)),
  });
  return reads;
}

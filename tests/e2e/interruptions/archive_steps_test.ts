import { assert, assertEquals } from "@std/assert";
import type { ArchivePlace } from "../../../lib/archive/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import {
  archive,
  logged,
  type MemoryPlace,
  memoryPlace,
  newestFirst,
} from "../../archive/archived_store.ts";
import { completes, lateRow, movedRows } from "../../archive/completed_archive.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { restarted, withMemoryStore } from "../../store/temp_store.ts";

Deno.test("archive: ended at any step, twice, each call is there once, and all of them in the end", async () => {
  let ended = 0;
  for (let first = 0, isWhole = false; !isWhole; first++) {
    for (const second of [0, 4, 11]) {
      await withMemoryStore(async (store) => {
        await leaveRows(store, movedRows, { perCommit: 11 });
        const place = memoryPlace();
        isWhole = !await dies(store, place, first);
        const died = await dies(restarted(store), place, second);
        ended += Number(!isWhole) + Number(died);
        await leaveRows(store, [lateRow]);
        await completes(restarted(store), place);
      });
    }
  }
  console.log(`${ended} runs ended early`);
  assert(ended > 200);
});

/** Returns false if the run came to its end within the steps. Reads the log as it was left. */
async function dies(store: Store, place: MemoryPlace, after: number) {
  const steps = new Steps(after);
  const run = archive(dyingStore(store, steps), dyingPlace(place, steps), { partRowsMax: 10 });
  const died = await run.then(() => false, (error) => {
    if (error instanceof Died) return true;
    throw error;
  });
  assertEquals(await logged(store, place), newestFirst(movedRows));
  return died;
}

/** Ends a run at its nth moment, before or after a step: a commit or a call of the place. */
class Steps {
  constructor(private left: number) {}

  /** From the end on, nothing succeeds. */
  async around<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#spend();
    const result = await step();
    this.#spend();
    return result;
  }

  #spend(): void {
    if (this.left <= 0) throw new Died();
    this.left--;
  }
}

class Died extends Error {}

function dyingStore(store: Store, steps: Steps): Store {
  const { kv } = store;
  const dying = {
    get: kv.get.bind(kv),
    getMany: kv.getMany.bind(kv),
    list: kv.list.bind(kv),
    atomic: () => {
      const operation = kv.atomic();
      const { commit } = operation;
      return Object.assign(operation, { commit: () => steps.around(() => commit.call(operation)) });
    },
  };
  return Object.assign(Object.create(store), { kv: dying });
}

function dyingPlace(place: ArchivePlace, steps: Steps): ArchivePlace {
  return {
    description: "dying",
    put: (...args) => steps.around(() => place.put(...args)),
    get: (...args) => steps.around(() => place.get(...args)),
    remove: (...args) => steps.around(() => place.remove(...args)),
  };
}

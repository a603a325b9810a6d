import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { issueApiKey, rotateApiKey } from "../../../lib/accounts/mod.ts";
import { Activity } from "../../../lib/activity.ts";
import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  updateApiKey,
} from "../../../lib/store/api_keys/mod.ts";
import {
  createGroup,
  createModel,
  createUpstream,
  updateGroup,
} from "../../../lib/store/catalog/mod.ts";
import { Directory, type DirectoryOptions } from "../../../lib/store/directory/mod.ts";
import { digestOf } from "../../../lib/store/kv/digest.ts";
import { openStore, Store } from "../../../lib/store/mod.ts";
import { createUser, deleteUser, updateUser } from "../../../lib/store/users/mod.ts";
import {
  sampleGroup,
  sampleKey,
  sampleModel,
  sampleSecret,
  sampleUpstream,
  sampleUser,
} from "../samples.ts";
import { later } from "../../waiting.ts";
import { eventually, testOnStores, withTempStore } from "../temp_store.ts";
import { startIsolate } from "../worker_isolate.ts";

async function withDirectory(
  store: Store,
  run: (directory: Directory) => Promise<void>,
  options?: DirectoryOptions,
) {
  const directory = await Directory.load(store, options);
  try {
    await run(directory);
  } finally {
    await directory.close();
  }
}

/** The same store, counting what it is asked; everything else goes through. */
function counted(store: Store): { readonly store: Store; reads(): number } {
  let reads = 0;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name === "get" || name === "getMany" || name === "list") reads++;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return {
    store: new Store(kv, { secretBox: store.secretBox, sharedByProcesses: false, runId: "x" }),
    reads: () => reads,
  };
}

/** The same store, shared by processes, with a watch that reports nothing; counts reads of one key. */
function unwatched(store: Store): { readonly store: Store; polls(): number } {
  let polls = 0;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name === "watch") return () => new ReadableStream();
      if (name === "get") polls++;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return {
    store: new Store(kv, { secretBox: store.secretBox, sharedByProcesses: true, runId: "x" }),
    polls: () => polls,
  };
}

testOnStores("Directory holds what was there at its start", async (store) => {
  await createGroup(store, sampleGroup());
  await createModel(store, sampleModel());
  await createUpstream(store, sampleUpstream());
  await createApiKey(store, sampleKey());
  await withDirectory(store, async (directory) => {
    assertEquals(directory.groups(), [sampleGroup()]);
    assertEquals(directory.group("team"), sampleGroup());
    assertEquals(directory.group("none"), undefined);
    assertEquals(directory.models(), [sampleModel()]);
    assertEquals(directory.model("acme/large:free"), sampleModel());
    assertEquals(directory.upstreams(), [sampleUpstream()]);
    assertEquals(directory.peekKey(sampleSecret), undefined);
    const known = { ...sampleKey(), account: { spending: "unlimited" } };
    assertEquals(await directory.findKey(sampleSecret), known);
    assertEquals(directory.peekKey(sampleSecret), known);
  });
});

testOnStores(
  "Directory reads the store once for each key, known or not, and then never",
  async (store) => {
    await createApiKey(store, sampleKey());
    const { store: watched, reads } = counted(store);
    await withDirectory(watched, async (directory) => {
      const atStart = reads();
      await Promise.all(Array.from({ length: 50 }, () => directory.findKey("sk-unknown")));
      assertEquals(reads() - atStart, 1);
      await Promise.all(Array.from({ length: 50 }, () => directory.findKey(sampleSecret)));
      const warm = reads();
      for (let call = 0; call < 100; call++) {
        assert(await directory.findKey(sampleSecret));
        assertEquals(await directory.findKey("sk-unknown"), undefined);
        directory.groups();
        directory.upstreams();
        directory.models();
      }
      assertEquals(reads() - warm, 0);
    });
  },
);

testOnStores("Directory takes no digest for a secret", async (store) => {
  await createApiKey(store, sampleKey());
  await withDirectory(store, async (directory) => {
    assertEquals(await directory.findKey(digestOf(sampleSecret)), undefined);
  });
});

testOnStores("Directory forgets a key at once when its own isolate changes it", async (store) => {
  await createApiKey(store, sampleKey());
  await withDirectory(store, async (directory) => {
    assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
    await updateApiKey(store, "key_1", (apiKey) => ({ ...apiKey, enabled: false }));
    assertEquals((await directory.findKey(sampleSecret))?.enabled, false);
    await deleteApiKey(store, "key_1");
    assertEquals(await directory.findKey(sampleSecret), undefined);
    await createApiKey(store, sampleKey());
    assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
  });
});

testOnStores("Directory never keeps a key whose change came while it was read", async (store) => {
  await createApiKey(store, sampleKey());
  await withDirectory(store, async (directory) => {
    for (let round = 0; round < 20; round++) {
      await directory.refresh();
      const reading = directory.findKey(sampleSecret);
      const enabled = round % 2 === 1;
      await updateApiKey(store, "key_1", (apiKey) => ({ ...apiKey, enabled }));
      await reading;
      assertEquals((await directory.findKey(sampleSecret))?.enabled, enabled);
    }
  });
});

Deno.test("Directory hears of changes by another store on the same file within a second", async () => {
  await withTempStore(async (store, path) => {
    await createApiKey(store, sampleKey());
    await createGroup(store, sampleGroup());
    const other = await openStore({ location: { type: "file", path } });
    await withDirectory(other, async (directory) => {
      assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
      await updateApiKey(store, "key_1", (apiKey) => ({ ...apiKey, enabled: false }));
      const started = performance.now();
      assert(await eventually(async () => !(await directory.findKey(sampleSecret))?.enabled));
      assert(performance.now() - started < 1_000);
      await updateGroup(store, "team", (group) => ({ ...group, priceRatio: 3 }));
      assert(await eventually(() => directory.group("team")?.priceRatio === 3));
    });
    other.close();
  });
});

Deno.test("Directory hears of a key that another isolate disabled", async () => {
  await withTempStore(async (store, path) => {
    await createApiKey(store, sampleKey());
    const isolate = startIsolate();
    await isolate.ask({ type: "open", path });
    await withDirectory(store, async (directory) => {
      assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
      await isolate.ask({ type: "disable-key", id: "key_1" });
      assert(await eventually(async () => !(await directory.findKey(sampleSecret))?.enabled));
    });
    await isolate.ask({ type: "close" });
    isolate.end();
  });
});

Deno.test("Directory polls a store that processes share where the watch says nothing", async () => {
  await withTempStore(async (store) => {
    await createApiKey(store, sampleKey());
    const { store: shared } = unwatched(store);
    await withDirectory(shared, async (directory) => {
      assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
      await updateApiKey(store, "key_1", (apiKey) => ({ ...apiKey, enabled: false }));
      const started = performance.now();
      assert(await eventually(async () => !(await directory.findKey(sampleSecret))?.enabled));
      assert(performance.now() - started < 1_000);
    });
  });
});

Deno.test("Directory does not poll without requests, and polls before the next one is answered", async () => {
  await withTempStore(async (store) => {
    await createApiKey(store, sampleKey());
    await createGroup(store, sampleGroup());
    const { store: shared, polls } = unwatched(store);
    const activity = new Activity(0);
    await withDirectory(shared, async (directory) => {
      assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
      await later(50);
      const before = polls();
      await updateApiKey(store, "key_1", (apiKey) => ({ ...apiKey, enabled: false }));
      await updateGroup(store, "team", (group) => ({ ...group, priceRatio: 3 }));
      await later(100);
      assertEquals([polls() - before, directory.peekKey(sampleSecret)?.enabled], [0, true]);
      activity.note();
      const ratio = () => directory.group("team")?.priceRatio;
      assertEquals([ratio(), await activity.afterPause(ratio)], [sampleGroup().priceRatio, 3]);
      assertEquals(directory.peekKey(sampleSecret), undefined);
      assertEquals((await directory.findKey(sampleSecret))?.enabled, false);
    }, { activity, pollMs: 10 });
  });
});

Deno.test("Directory watches again after the watch broke", async () => {
  await withTempStore(async (store, path) => {
    let watches = 0;
    const brittle = new Proxy(store.kv, {
      get(target, name) {
        if (name === "watch" && watches++ === 0) {
          return () => new ReadableStream({ pull: (stream) => stream.error(new Error("broken")) });
        }
        const member = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const options = { secretBox: store.secretBox, sharedByProcesses: false, runId: "x" };
    const writer = await openStore({ location: { type: "file", path } });
    await withDirectory(new Store(brittle, options), async (directory) => {
      await createGroup(writer, sampleGroup());
      assert(await eventually(() => directory.group("team") !== undefined));
      assertEquals(watches, 2);
    });
    writer.close();
  });
});

testOnStores(
  "Directory shows the keys of a disabled or deleted user as disabled",
  async (store) => {
    await createUser(store, sampleUser());
    await createApiKey(store, sampleKey({ accountId: "usr_1" }));
    await withDirectory(store, async (directory) => {
      assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
      await updateUser(store, "usr_1", (user) => ({ ...user, enabled: false }));
      assertEquals((await directory.findKey(sampleSecret))?.enabled, false);
      await updateUser(store, "usr_1", (user) => ({ ...user, enabled: true }));
      assertEquals((await directory.findKey(sampleSecret))?.enabled, true);
      await deleteUser(store, "usr_1");
      assertEquals((await directory.findKey(sampleSecret))?.enabled, false);
    });
  },
);

testOnStores(
  "Directory lets a rotated secret open its key until it ends, also from memory",
  async (store) => {
    let nowMs = 1_000;
    await withDirectory(store, async (directory) => {
      const draft = { accountId: "owner", name: "one", groupId: "default", enabled: true };
      const { apiKey, secret } = await issueApiKey(store, draft, { nowMs });
      const rotated = await rotateApiKey(store, apiKey.id, { graceMs: 500, nowMs });
      assertEquals((await directory.findKey(secret))?.id, apiKey.id);
      assertEquals((await directory.findKey(rotated?.secret ?? ""))?.id, apiKey.id);
      nowMs = 1_500;
      assertEquals(directory.peekKey(secret), undefined);
      assertEquals(await directory.findKey(secret), undefined);
      assertEquals((await directory.findKey(rotated?.secret ?? ""))?.id, apiKey.id);
    }, { now: () => nowMs });
  },
);

testOnStores("Directory keeps a bounded number of keys and of wrong ones", async (store) => {
  await createApiKey(store, sampleKey());
  const { store: watched, reads } = counted(store);
  await withDirectory(watched, async (directory) => {
    await directory.findKey("sk-0");
    for (let n = 1; n <= 4; n++) await directory.findKey(`sk-${n}`);
    const before = reads();
    await directory.findKey("sk-4");
    assertEquals(reads() - before, 0);
    await directory.findKey("sk-0");
    assertEquals(reads() - before, 1);
  }, { unknownKeysMax: 4, keysMax: 4 });
});

testOnStores(
  "Directory notes the use of keys together, and what waits when it closes",
  async (store) => {
    await createApiKey(store, sampleKey());
    const directory = await Directory.load(store, { touchIntervalMs: 20 });
    for (const atMs of [3_000, 5_000, 4_000]) directory.touchKey("key_1", atMs);
    assertEquals((await getApiKey(store, "key_1"))?.lastUsedAtMs, undefined);
    assert(await eventually(async () => (await getApiKey(store, "key_1"))?.lastUsedAtMs === 5_000));
    for (let n = 0; n < 2_500; n++) directory.touchKey(`key_${n}`, 6_000);
    await directory.close();
    assertEquals((await getApiKey(store, "key_1"))?.lastUsedAtMs, 6_000);
  },
);

Deno.test("Directory notes the use of keys seldom on a shared store, and when it closes", () =>
  withTempStore(async (local) => {
    await createApiKey(local, sampleKey());
    const store = new Store(local.kv, { ...local, sharedByProcesses: true });
    const directory = await Directory.load(store);
    directory.touchKey("key_1", 3_000);
    await new Promise((resolve) => setTimeout(resolve, 1_300)); // a local store has noted it by then
    assertEquals((await getApiKey(local, "key_1"))?.lastUsedAtMs, undefined);
    await directory.close();
    assertEquals((await getApiKey(local, "key_1"))?.lastUsedAtMs, 3_000);
  }));

testOnStores("Directory keeps the identity of lists in which nothing changed", async (store) => {
  await createUpstream(store, sampleUpstream());
  await createGroup(store, sampleGroup());
  await withDirectory(store, async (directory) => {
    const [upstreams, groups] = [directory.upstreams(), directory.groups()];
    await updateGroup(store, "team", (group) => ({ ...group, priceRatio: 2 }));
    assert(await eventually(() => directory.group("team")?.priceRatio === 2));
    assertStrictEquals(directory.upstreams(), upstreams);
    assert(directory.groups() !== groups);
  });
});

testOnStores(
  "Directory shows an upstream whose credentials do not open as disabled",
  async (store) => {
    await createUpstream(store, sampleUpstream());
    const other = await openStore({ location: { type: "memory" } });
    const wrong = new Store(store.kv, {
      secretBox: other.secretBox,
      sharedByProcesses: false,
      runId: "x",
    });
    await withDirectory(wrong, (directory) => {
      const [upstream] = directory.upstreams();
      assertEquals([upstream?.enabled, upstream?.credentials], [false, []]);
      assert(upstream?.credentialsFault);
      return Promise.resolve();
    });
    other.close();
  },
);

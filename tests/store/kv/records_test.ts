import { assertEquals, assertRejects } from "@std/assert";
import {
  type AuditOptions,
  type ChangeOptions,
  type DeleteOptions,
  listAuditEntries,
} from "../../../lib/store/audit/mod.ts";
import * as catalog from "../../../lib/store/catalog/mod.ts";
import { type Origin, type Store, StoreError } from "../../../lib/store/mod.ts";
import { withCommit } from "../failing_store.ts";
import { sampleAudit, sampleGroup, sampleModel, sampleUpstream } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

interface Entity<Item> {
  readonly name: string;
  readonly get: (store: Store, id: string) => Promise<Item | undefined>;
  readonly list: (store: Store) => Promise<Item[]>;
  readonly create: (store: Store, item: Item, options?: AuditOptions) => Promise<void>;
  readonly update: (
    store: Store,
    id: string,
    change: (item: Item) => Item,
    options?: ChangeOptions<Item>,
  ) => Promise<Item | undefined>;
  readonly remove: (store: Store, id: string, options?: DeleteOptions<Item>) => Promise<boolean>;
  readonly sample: (fields?: { id?: string; origin?: Origin }) => Item;
  /** A field to count races in. */
  readonly add: (item: Item) => Item;
  readonly count: (item: Item) => number;
}

/** Tests that every entity must pass if the configuration may declare it. */
function suite<Item>(entity: Entity<Item>): void {
  const { name, sample } = entity;

  testOnStores(`${name}: made, read, listed, changed, deleted`, async (store) => {
    const [a, b] = [sample({ id: "a" }), sample({ id: "b" })];
    assertEquals(await entity.get(store, "a"), undefined);
    await entity.create(store, b);
    await entity.create(store, a);
    assertEquals(await entity.get(store, "a"), a);
    assertEquals(await entity.list(store), [a, b]);
    assertEquals(await entity.update(store, "a", entity.add), entity.add(a));
    assertEquals(await entity.get(store, "a"), entity.add(a));
    assertEquals(await entity.remove(store, "a"), true);
    assertEquals(await entity.remove(store, "a"), false);
    assertEquals(await entity.update(store, "a", entity.add), undefined);
    assertEquals(await entity.list(store), [b]);
  });

  testOnStores(`${name}: an id is taken once, however many ask`, async (store) => {
    const asked = Array.from({ length: 8 }, () => entity.create(store, sample({ id: "a" })));
    const results = await Promise.allSettled(asked);
    assertEquals(results.filter((result) => result.status === "fulfilled").length, 1);
    const error = await assertRejects(
      () => entity.create(store, sample({ id: "a" })),
      StoreError,
    );
    assertEquals(error.code, "already_exists");
  });

  testOnStores(`${name}: no change is lost in a race`, async (store) => {
    await entity.create(store, sample({ id: "a" }));
    const before = entity.count(sample({ id: "a" }));
    await Promise.all(Array.from({ length: 10 }, () => entity.update(store, "a", entity.add)));
    const item = await entity.get(store, "a");
    assertEquals(item && entity.count(item) - before, 10);
  });

  testOnStores(`${name}: what the configuration declares is read-only`, async (store) => {
    await entity.create(store, sample({ id: "a", origin: "config" }));
    const update = () => entity.update(store, "a", entity.add);
    for (const change of [update, () => entity.remove(store, "a")]) {
      const error = await assertRejects(async () => void await change(), StoreError);
      assertEquals(error.code, "declared");
    }
    assertEquals(await entity.update(store, "a", entity.add, { by: "config" }) !== undefined, true);
    assertEquals(await entity.remove(store, "a", { by: "config" }), true);
  });

  testOnStores(`${name}: a change and its audit entry stand or fall together`, async (store) => {
    const broken = withCommit(store, () => Promise.reject(new Error("the store is away")));
    const item = sample({ id: "a" });
    const told = async () => (await listAuditEntries(store, { limit: 9 })).entries.length;
    const audit = sampleAudit;
    const steps = [
      { change: (to: Store) => entity.create(to, item, { audit }), after: item },
      {
        change: (to: Store) => entity.update(to, "a", entity.add, { audit: () => audit }),
        after: entity.add(item),
      },
      { change: (to: Store) => entity.remove(to, "a", { audit }), after: undefined },
    ];
    for (const [step, { change, after }] of steps.entries()) {
      const before = await entity.get(store, "a");
      await assertRejects(async () => await change(broken), Error, "the store is away");
      assertEquals([await entity.get(store, "a"), await told()], [before, step]);
      await change(store);
      assertEquals([await entity.get(store, "a"), await told()], [after, step + 1]);
    }
  });
}

suite({
  name: "group",
  get: catalog.getGroup,
  list: catalog.listGroups,
  create: catalog.createGroup,
  update: catalog.updateGroup,
  remove: catalog.deleteGroup,
  sample: sampleGroup,
  add: (group) => ({ ...group, priceRatio: group.priceRatio + 1 }),
  count: (group) => group.priceRatio,
});

suite({
  name: "model",
  get: catalog.getModel,
  list: catalog.listModels,
  create: catalog.createModel,
  update: catalog.updateModel,
  remove: catalog.deleteModel,
  sample: sampleModel,
  add: (model) => ({ ...model, contextWindow: (model.contextWindow ?? 0) + 1 }),
  count: (model) => model.contextWindow ?? 0,
});

suite({
  name: "upstream",
  get: catalog.getUpstream,
  list: catalog.listUpstreams,
  create: catalog.createUpstream,
  update: catalog.updateUpstream,
  remove: catalog.deleteUpstream,
  sample: sampleUpstream,
  add: (upstream) => ({ ...upstream, weight: upstream.weight + 1 }),
  count: (upstream) => upstream.weight,
});

testOnStores("group: default cannot be deleted", async (store) => {
  await catalog.createGroup(store, sampleGroup({ id: "default" }));
  const error = await assertRejects(() => catalog.deleteGroup(store, "default"), StoreError);
  assertEquals(error.code, "protected");
});

import { assert, assertEquals, assertRejects } from "@std/assert";
import { GroupCommit } from "../../lib/ledger/mod.ts";
import { later } from "../waiting.ts";

/** A store whose commits end when the test says so. */
function slowStore() {
  const commits: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const write = (items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    commits.push({ items, end: (error) => error ? reject(error) : resolve() });
    return promise;
  };
  return { commits, write };
}

Deno.test("GroupCommit starts at once when idle and packs what arrives meanwhile", async () => {
  const { commits, write } = slowStore();
  const group = new GroupCommit<number>(write, 100);
  const first = group.add(1);
  const others = [group.add(2), group.add(3)];
  assertEquals(commits.map(({ items }) => items), [[1]]);
  commits[0].end();
  await first;
  await Promise.resolve();
  assertEquals(commits.map(({ items }) => items), [[1], [2, 3]]);
  commits[1].end();
  await Promise.all(others);
});

Deno.test("GroupCommit resolves nobody before the commit has ended", async () => {
  const { commits, write } = slowStore();
  const group = new GroupCommit<number>(write, 100);
  let settled = false;
  const added = group.add(1).then(() => settled = true);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  assertEquals(settled, false);
  commits[0].end();
  await added;
});

Deno.test("GroupCommit never packs more than its bound", async () => {
  const sizes: number[] = [];
  const group = new GroupCommit<number>((items) => {
    sizes.push(items.length);
    return Promise.resolve();
  }, 10);
  await Promise.all(Array.from({ length: 95 }, (_, n) => group.add(n)));
  assertEquals(Math.max(...sizes), 10);
  assertEquals(sizes.reduce((a, b) => a + b), 95);
});

Deno.test("GroupCommit fails only those of the failed commit and goes on", async () => {
  const { commits, write } = slowStore();
  const group = new GroupCommit<number>(write, 1);
  const [first, second] = [group.add(1), group.add(2)];
  commits[0].end(new Error("disk full"));
  await assertRejects(() => first, Error, "disk full");
  commits[1].end();
  await second;
});

Deno.test("GroupCommit waits after a shared commit, so that the next one has more to store", async () => {
  const startedAtMs: number[] = [];
  const group = new GroupCommit<number>(
    () => {
      startedAtMs.push(performance.now());
      return Promise.resolve();
    },
    100,
    { ms: 20 },
  );
  await Promise.all([1, 2, 3].map((item) => group.add(item)));
  await Promise.all([4, 5].map((item) => group.add(item)));
  const [, shared, paced] = startedAtMs;
  assertEquals(startedAtMs.length, 3);
  assert(paced - shared >= 19, `${paced - shared} ms`);
});

for (const { isStrict, waits } of [{ isStrict: true, waits: true }, { waits: false }]) {
  Deno.test(`GroupCommit ${waits ? "waits" : "does not wait"} after a commit of one item${isStrict ? " at a strict pace" : ""}`, async () => {
    const startedAtMs: number[] = [];
    const group = new GroupCommit<number>(
      () => {
        startedAtMs.push(performance.now());
        return Promise.resolve();
      },
      100,
      { ms: 200, isStrict },
    );
    await group.add(1);
    await Promise.all([group.add(2), group.add(3)]);
    const [first, second] = startedAtMs;
    assertEquals(second - first >= 195, waits, `${second - first} ms`);
  });
}

for (const isFull of [false, true]) {
  Deno.test(`GroupCommit ends its wait once the next commit ${isFull ? "is full" : "has enough"}`, async () => {
    const sizes: number[] = [];
    let isEnough = false;
    const group = new GroupCommit<number>(
      (items) => {
        sizes.push(items.length);
        return Promise.resolve();
      },
      isFull ? 3 : 100,
      { ms: 60_000, isStrict: true, isEnough: () => isEnough },
    );
    await group.add(1);
    const waiting = [group.add(2), group.add(3)];
    await later(20);
    assertEquals(sizes, [1]);
    isEnough = !isFull;
    await Promise.all([...waiting, group.add(4)]);
    assertEquals(sizes, [1, 3]);
  });
}

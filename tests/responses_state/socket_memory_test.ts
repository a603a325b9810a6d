import { assertEquals } from "@std/assert";
import { LaneMemory, SocketMemory } from "../../lib/responses_state/mod.ts";

const history = { items: [], seals: new Map(), stored: [] };

/** Keeps a response of so many characters in a lane. */
function keep(
  memory: LaneMemory,
  lane: string,
  { id, length = 10, accountId = "usr_1", isRunning = false }: {
    readonly id: string;
    readonly length?: number;
    readonly accountId?: string;
    readonly isRunning?: boolean;
  },
): void {
  memory.ofCall(lane, { preparesOnly: false, isRunning: () => isRunning })
    .keep({ id, accountId, history, length });
}

Deno.test("socket memory: a lane keeps its latest response, for its account only", () => {
  const shared = new SocketMemory({ totalLength: 100, accountLength: 100 });
  const memory = new LaneMemory(shared);
  keep(memory, "a", { id: "one" });
  keep(memory, "a", { id: "two" });
  assertEquals([memory.holds("one"), memory.holds("two")], [false, true]);
  assertEquals(memory.find("usr_2", "two"), undefined);
  assertEquals(memory.find("usr_1", "two")?.length, 10);
  memory.forget("a", "one");
  assertEquals(memory.holds("two"), true);
  memory.close();
  assertEquals([memory.holds("two"), shared.length], [false, 0]);
});

Deno.test("socket memory: an account beyond its limit loses what it used longest ago, on any socket", () => {
  const shared = new SocketMemory({ totalLength: 1_000, accountLength: 25 });
  const [first, second] = [new LaneMemory(shared), new LaneMemory(shared)];
  keep(first, "a", { id: "one" });
  keep(second, "a", { id: "two" });
  keep(second, "b", { id: "others", accountId: "usr_2", length: 20 });
  first.find("usr_1", "one");
  keep(second, "c", { id: "three" });
  assertEquals([first.holds("one"), second.holds("two"), second.holds("three")], [
    true,
    false,
    true,
  ]);
  assertEquals(second.holds("others"), true);
});

Deno.test("socket memory: a lane with a call in progress keeps its response, and all accounts share a limit", () => {
  const shared = new SocketMemory({ totalLength: 25, accountLength: 25 });
  const memory = new LaneMemory(shared);
  keep(memory, "a", { id: "one", isRunning: true });
  keep(memory, "b", { id: "two", accountId: "usr_2" });
  keep(memory, "c", { id: "three", accountId: "usr_3" });
  assertEquals([memory.holds("one"), memory.holds("two"), memory.holds("three")], [
    true,
    false,
    true,
  ]);
  keep(memory, "d", { id: "four", accountId: "usr_4", length: 26 });
  assertEquals(memory.holds("four"), false);
});

Deno.test("socket memory: lanes with calls in progress keep no more than the limits", () => {
  const shared = new SocketMemory({ totalLength: 45, accountLength: 25 });
  const memory = new LaneMemory(shared);
  for (const id of ["one", "two", "three"]) keep(memory, id, { id, isRunning: true });
  assertEquals([memory.holds("one"), memory.holds("three")], [false, true]);
  for (const id of ["a", "b"]) keep(memory, id, { id, isRunning: true, accountId: "usr_2" });
  keep(memory, "c", { id: "c", isRunning: true, accountId: "usr_3" });
  assertEquals([memory.holds("two"), memory.holds("c"), shared.length], [false, true, 40]);
});

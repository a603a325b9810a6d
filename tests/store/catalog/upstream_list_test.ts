import { assertEquals } from "@std/assert";
import { endListTurn, takeListTurn } from "../../../lib/store/catalog/mod.ts";
import { testOnStores } from "../temp_store.ts";

const turn = { upstreamId: "acme", asked: "one" };

testOnStores(
  "upstream list: of many isolates one takes the turn, and the next once it is due",
  async (store) => {
    const take = (nowMs: number, asked = "one") =>
      takeListTurn(store, { ...turn, asked, nowMs, untilMs: nowMs + 100 });
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(1_000)));
    assertEquals(taken.filter(({ type }) => type === "taken").length, 1);
    assertEquals(await take(1_050), { type: "wait", untilMs: 1_100 });
    assertEquals(await take(1_100), { type: "taken", failures: 0 }, "who took it is gone");
    await endListTurn(store, { ...turn, dueAtMs: 5_000, failures: 2 });
    assertEquals(await take(4_999), { type: "wait", untilMs: 5_000 });
    assertEquals(await take(5_000), { type: "taken", failures: 2 });
    assertEquals(await take(5_001, "another"), { type: "taken", failures: 0 }, "it was changed");
  },
);

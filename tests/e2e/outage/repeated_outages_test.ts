import { assert, assertEquals } from "@std/assert";
import { allRows } from "../../../lib/audit/mod.ts";
import { formatNames } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { later } from "../../waiting.ts";
import { withStoreFolder } from "../money/place.ts";
import { locationOf, testOnSharedStores } from "../money/shared_store.ts";
import { startBlackHole } from "./black_hole.ts";
import {
  assertAudited,
  call,
  type Got,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";

/** Callers that call again and again while the database server freezes, dies and is cut off. */

const callers = 8;
const bytes = 20_000;
/** Shorter and longer than `storeWaitMs`. */
const awayMs = [700, 5_500] as const;
const betweenMs = 3_000;

testOnSharedStores(
  (kind) =>
    `repeated outages of ${kind}: every answer is recorded and charged once, every refusal says so`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await using hole = startBlackHole(kv.location.url);
      await using upstream = startGatedUpstream();
      upstream.open();
      const server = await startOnStore(hole.url, upstream);
      let hasEnded = false;
      const calling = Promise.all(Array.from({ length: callers }, async (_, caller) => {
        const got: Got[] = [];
        for (let round = caller; !hasEnded; round++) {
          const format = formatNames[round % formatNames.length];
          got.push(await call(server, format, round % 3 > 0, undefined, { bytes }));
          if (got.at(-1)?.status === 503) await later(100);
        }
        return got;
      }));
      for (const ms of awayMs) {
        await kv.signal("SIGSTOP");
        await later(ms);
        await kv.signal("SIGCONT");
        await later(betweenMs);
        await kv.kill();
        await later(ms);
        await kv.restart();
        await later(betweenMs);
        hole.swallow();
        await later(ms);
        hole.forward();
        await later(betweenMs);
      }
      await untilReadiness(server, 200, 10_000);
      hasEnded = true;
      const got = (await calling).flat();
      assertEquals(await server.stop(), 0, server.said());

      const rows = await rowsIn(kv.location.url);
      const answered = got.filter(({ status, code }) => status === 200 && code === undefined);
      const [cost] = answered.map(({ id }) => rows.get(id)?.costNanoUsd);
      for (const { id } of answered) {
        const { outcome, costNanoUsd } = rows.get(id) ?? {};
        assertEquals([outcome, costNanoUsd], ["completed", cost]);
      }
      const refused = got.filter((one) => !answered.includes(one));
      for (const { code, text } of refused) assertEquals(code, "store_unavailable", text);
      const late = refused.filter(({ id }) => rows.get(id)?.outcome === "completed");
      for (const { id, status, text } of refused) {
        const { costNanoUsd = 0n } = rows.get(id) ?? {};
        const isCharged = status === 200 || rows.get(id)?.outcome === "completed";
        assertEquals(costNanoUsd, isCharged ? cost : 0n);
        assert(!isCharged || !text.includes("Not charged"), text);
      }
      const { size } = rows;
      console.log(
        `${got.length} calls: ${answered.length} answered, ${refused.length} refused or cut short ` +
          `(${late.length} of them recorded as completed), ${size} rows`,
      );
      assert(answered.length > 100, `${answered.length} answered`);
      assertAudited(await runOn(kv.location.url, "tools/audit.ts"));
    }),
);

async function rowsIn(url: string): Promise<ReadonlyMap<string, RequestLogRow>> {
  const store = await openStore({
    location: locationOf(url),
    secret: "a secret of this test",
  });
  const rows = new Map<string, RequestLogRow>();
  for await (const row of allRows(store)) {
    assert(!rows.has(row.id), `${row.id} has two rows`);
    rows.set(row.id, row);
  }
  store.close();
  return rows;
}

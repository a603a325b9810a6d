import { assert, assertEquals } from "@std/assert";
import { later } from "../../waiting.ts";
import { withStoreFolder } from "../money/place.ts";
import { testOnSharedStores } from "../money/shared_store.ts";
import { startBlackHole } from "./black_hole.ts";
import { assertAccounted, callAgain } from "./load.ts";
import {
  assertAudited,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";

/** Callers that call again and again while the database server freezes, dies and is cut off. */

const callers = 8;
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
      const calling = callAgain(server, callers);
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
      const got = await calling.end();
      assertEquals(await server.stop(), 0, server.said());

      const { answered } = await assertAccounted(kv.location.url, got);
      assert(answered > 100, `${answered} answered`);
      assertAudited(await runOn(kv.location.url, "tools/audit.ts"));
    }),
);

import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { getSpent, listAllowances } from "../../../lib/store/money/mod.ts";
import { testKey } from "../gateway.ts";
import { startServer } from "../server_process.ts";
import { callNanoUsd, callPaid, paidConfig, startPaidUpstream } from "./paid_upstream.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";

/**
 * A process that is frozen for longer than it takes to be thought dead, with calls in flight and
 * money leased, and then goes on. Takes a minute: TESSERA_FREEZE=1 runs it.
 */

const frozenMs = 50_000;
const paidFor = 60n;

testOnSharedStores(
  (kind) =>
    `a process frozen for 50 s while another on ${kind} sweeps it: nothing is charged twice or overspent`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using upstream = startPaidUpstream(({ stream }) => stream ? 12_000 : 0);
      await using kv = await start(folder);
      const config = {
        ...paidConfig(upstream),
        keys: [{
          name: "test",
          value: testKey,
          budget: { usd: Number(callNanoUsd * paidFor) / 1e9, period: "total" },
        }],
      };
      const options = { config, env: kv.env };
      const frozen = await startServer(folder, options);
      const other = await startServer(folder, options);
      const streams = Array.from({ length: 10 }, () =>
        callPaid(frozen.base, testKey, { stream: true, maxTokens: 20 }));
      await pause(5_000); // until a heartbeat has reported them
      frozen.process.kill("SIGSTOP");
      await pause(frozenMs);
      let beside = 0;
      while ((await callPaid(other.base, testKey)).status === 200) {
        beside++;
      }
      frozen.process.kill("SIGCONT");
      const statuses = (await Promise.allSettled(streams)).map((one) =>
        one.status === "fulfilled" ? one.value.status : 0
      );
      const later = await callPaid(frozen.base, testKey);
      console.log(`${beside} calls beside, streams ${statuses}, later ${later.status}`);
      assertEquals(await frozen.stop(), 0);
      assertEquals(await other.stop(), 0);
      const store = await openStore({ location: kv.location, secret: "a-secret-of-tests" });
      try {
        const audit = await auditStore(store);
        assertEquals(audit.differences, []);
        const ids = new Set<string>();
        let charged = 0n;
        const others: string[] = [];
        for await (const { id, costNanoUsd, outcome, uncoveredNanoUsd, status } of allRows(store)) {
          assert(!ids.has(id), `${id} is there twice`);
          ids.add(id);
          charged += costNanoUsd ?? 0n;
          if (outcome !== "completed") {
            others.push(`${status} ${outcome} ${costNanoUsd} ${uncoveredNanoUsd}`);
          }
        }
        console.log(others.join("\n"));
        assert(charged <= callNanoUsd * paidFor, `${charged}`);
        for (const { id, allotted } of await listAllowances(store)) {
          assertEquals(await getSpent(store, id), allotted);
          if (id.startsWith("budget")) {
            assert(allotted <= callNanoUsd * paidFor, `${allotted}`);
          }
        }
      } finally {
        store.close();
      }
    }),
  Deno.env.get("TESSERA_FREEZE") === undefined,
);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

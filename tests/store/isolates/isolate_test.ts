import { assertEquals } from "@std/assert";
import { listInFlight, registerIsolate, storeHeartbeat } from "../../../lib/store/isolates/mod.ts";
import { hostileFields } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

for (const [name, text] of Object.entries({ wide: "x𝄞", escaped: "\u0000\ud800" })) {
  testOnStores(
    `a heartbeat stores every call in flight, however large (${name})`,
    async (store) => {
      const { usage, ...others } = hostileFields(text);
      const counted = usage && { ...usage, native: undefined }; // recovery does not need it
      const fields = { ...others, usage: counted, statedUsage: counted, countedUsage: counted };
      const flights = Array.from({ length: 40 }, (_, n) => ({
        row: sampleRow(n, fields),
        moneyIds: ["wallet:owner"],
      }));
      const isolate = { id: "a", runId: "run", heartbeatAtMs: 1 };
      const entry = await registerIsolate(store, isolate);
      await storeHeartbeat(store, entry, { isolate, flights, chunks: [] });
      const stored = (await listInFlight(store, "a")).flatMap(({ flights }) => flights);
      assertEquals(stored.map(({ row }) => row.id), flights.map(({ row }) => row.id));
    },
  );
}

import { assert } from "@std/assert";
import { countStoreTrips } from "../../../bench/store_trips.ts";

Deno.test("a call reads nothing of the store before its first byte, and shares one commit at its end", async () => {
  const { calls, trips, sharedCommits, sharedCalls } = await countStoreTrips(300);
  // Leases are taken ahead in the background, once for many calls.
  assert(trips.readsBefore / calls < 0.05, `${trips.readsBefore} reads of ${calls} calls`);
  assert(trips.commitsBefore / calls < 0.05, `${trips.commitsBefore} commits of ${calls} calls`);
  assert(trips.commitsAfter / calls < 1.05, `${trips.commitsAfter} commits of ${calls} calls`);
  assert(sharedCommits / sharedCalls < 0.5, `${sharedCommits} commits of ${sharedCalls} calls`);
});

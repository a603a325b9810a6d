import { assert, assertEquals } from "@std/assert";
import { allRows } from "../../../lib/audit/mod.ts";
import { formatNames } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { later } from "../../waiting.ts";
import { locationOf } from "../money/shared_store.ts";
import { call, type Got } from "./outage.ts";

const loadBytes = 20_000;

/** Callers that call again and again, in all formats, until `end` returns what they got. */
export function callAgain(
  server: { readonly base: string },
  callers: number,
): { end(): Promise<readonly Got[]> } {
  let hasEnded = false;
  const calling = Promise.all(Array.from({ length: callers }, async (_, caller) => {
    const got: Got[] = [];
    for (let round = caller; !hasEnded; round++) {
      const format = formatNames[round % formatNames.length];
      got.push(await call(server, format, round % 3 > 0, undefined, { bytes: loadBytes }));
      if (got.at(-1)?.status === 503) await later(100);
    }
    return got;
  }));
  return {
    end: async () => {
      hasEnded = true;
      return (await calling).flat();
    },
  };
}

/**
 * Every answer that was read is in the log once, at the cost of all others; every other call was
 * refused as `store_unavailable`, and says "Not charged" only if it was not charged.
 */
export async function assertAccounted(
  place: string,
  got: readonly Got[],
): Promise<{ readonly answered: number }> {
  const rows = await allRowsOf(place);
  const answered = got.filter(({ status, code }) => status === 200 && code === undefined);
  const [cost] = answered.map(({ id }) => rows.get(id)?.costNanoUsd);
  for (const { id } of answered) {
    const { outcome, costNanoUsd } = rows.get(id) ?? {};
    assertEquals([outcome, costNanoUsd], ["completed", cost]);
  }
  const refused = got.filter((one) => !answered.includes(one));
  for (const { id, status, code, text } of refused) {
    assertEquals(code, "store_unavailable", text);
    const { outcome, costNanoUsd = 0n } = rows.get(id) ?? {};
    const isCharged = status === 200 || outcome === "completed";
    assertEquals(costNanoUsd, isCharged ? cost : 0n);
    assert(!isCharged || !text.includes("Not charged"), text);
  }
  const late = refused.filter(({ id }) => rows.get(id)?.outcome === "completed");
  console.log(
    `  ${got.length} calls: ${answered.length} answered, ${refused.length} refused or cut short ` +
      `(${late.length} of them recorded as completed), ${rows.size} rows`,
  );
  return { answered: answered.length };
}

async function allRowsOf(place: string): Promise<ReadonlyMap<string, RequestLogRow>> {
  const store = await openStore({ location: locationOf(place), secret: "a secret of this test" });
  const rows = new Map<string, RequestLogRow>();
  for await (const row of allRows(store)) {
    assert(!rows.has(row.id), `${row.id} has two rows`);
    rows.set(row.id, row);
  }
  store.close();
  return rows;
}

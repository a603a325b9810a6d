import { assertEquals, assertStringIncludes } from "@std/assert";
import { readCsv } from "../../ledger/csv.ts";
import { callIdAt } from "../calls/call_id.ts";
import { testConsole } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall, addKey } from "../records.ts";

testConsole("overview: the export has every row of the breakdown, exactly", async (console) => {
  const { store } = console;
  for (let number = 1; number <= 12; number++) {
    const accountId = number % 2 ? administrator.id : member.id;
    const key = await addKey(store, { name: `key-${number}`, accountId });
    const call = { accountId, keyId: key.id, costNanoUsd: BigInt(number) * 1_000_000_001n };
    await addCall(store, { ...callIdAt(60_000, number), ...call });
  }
  const browser = await console.signedIn(administrator);
  const page = await browser.get("/console?by=key&period=7d");
  assertStringIncludes(page.html, 'href="/console/export?by=key&amp;period=7d"');
  const { headers, html } = await browser.get("/console/export?by=key&period=7d");
  assertStringIncludes(headers.get("content-disposition") ?? "", "spend-by-key-");
  const [head, ...rows] = readCsv(html);
  const cell = (row: readonly string[], name: string) => row[head.indexOf(name)];
  assertEquals(rows.length, 12);
  assertEquals(cell(rows[0], "name"), "key-12");
  assertEquals(cell(rows[0], "owner"), member.email);
  assertEquals(cell(rows[0], "cost_usd"), "12.000000012");
  const own = await (await console.signedIn(member)).get("/console/export?who=everyone&by=key");
  assertEquals(readCsv(own.html).slice(1).map((row) => cell(row, "name")), [
    "key-12",
    "key-10",
    "key-8",
    "key-6",
    "key-4",
    "key-2",
  ]);
  assertEquals((await (await console.signedIn(member)).get("/console/export?by=user")).status, 200);
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { callIdAt } from "../calls/call_id.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator } from "../people.ts";
import { addCall } from "../records.ts";

const [dayMs, usd] = [86_400_000, 1_000_000_000n];

/** Ten models: each costs most over the period the lower its number, and yesterday the higher. */
testConsole("overview: a day ranks by itself, and a subject keeps its color", async (console) => {
  const { store } = console;
  const call = { keyId: "key_1", upstreamId: "acme" };
  for (let at = 0; at < 10; at++) {
    const model = `m${at}`;
    const past = { ...call, model, costNanoUsd: BigInt(100 - at) * usd };
    await addCall(store, { ...past, ...callIdAt(3 * dayMs, at) });
    const last = { ...call, model, costNanoUsd: BigInt(at + 1) * usd };
    await addCall(store, { ...last, ...callIdAt(dayMs, 10 + at) });
  }
  const browser = await console.signedIn(administrator);
  const path = "/console?who=mine&by=model";
  const { html } = await browser.get(path);
  const text = textOf(html);
  assertStringIncludes(
    text,
    "Fri, Nov 20 m9 $10.00 m8 $9.00 m7 $8.00 m6 $7.00 m5 $6.00 m4 $5.00 m3 $4.00 Others $6.00 Total $55.00",
  );
  const readout = /<ul class="readout">[\s\S]*?<\/ul>/.exec(html)?.[0] ?? "";
  const colorIn = (part: string, name: string) =>
    new RegExp(`data-(\\w+)"[^>]*></rect></svg>(?:<span[^>]*>)?${name}<`).exec(part)?.[1];
  const table = html.slice(html.indexOf("<tbody"));
  assertEquals(colorIn(readout, "m9"), "rest", "it has none in the chart of the period");
  for (const name of ["m3", "m4", "m5", "m6"]) {
    assertEquals(colorIn(readout, name), colorIn(table, name), name);
  }
  assertStringIncludes(text, "3 others");
  const at = Date.UTC(2026, 10, 20) / 1_000;
  const day = (await browser.get(`${path}&at=${at}`)).html;
  assertStringIncludes(textOf(day), "Only Fri, Nov 20 Show calls Whole period");
  assertStringIncludes(textOf(day), "m9 1 100% 18% $10.00");
  assertStringIncludes(textOf(day), "3 others");
  const daily = day.slice(day.indexOf("<tbody"));
  for (const name of ["m3", "m4", "m5", "m6"]) {
    assertEquals(colorIn(daily, name), colorIn(table, name), name);
  }
});

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { callIdAt } from "../../console/calls/call_id.ts";
import { withLimits } from "../../console/console.ts";
import { nowMs } from "../../console/people.ts";
import { addCall, addKey } from "../../console/records.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { sampleRow } from "../../store/samples.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

signedInTest("the log and a call are whole in both themes at every width", async (page, served) => {
  await addCalls(served);
  await lookAt(page, served.origin, {
    log: "/console/log",
    log_filtered: "/console/log?key=key_1&period=7d",
    log_failed: "/console/log?status=failed",
    log_all: "/console/log?who=everyone",
    log_many_filters: "/console/log?q=claude&format=messages&slower=0.1&dearer=0.01&period=24h",
    log_live: "/console/log?live=1",
    log_no_match: "/console/log?model=nobody",
    call_refused: `/console/log/${callIdAt(90_000, 99).id}`,
    call_retried: `/console/log/${callIdAt(60_000, 1).id}`,
    call_uncovered: `/console/log/${callIdAt(60_000, 2).id}`,
  });
});

signedInTest("the log is filtered by its form, with and without a script", async (page, served) => {
  await addCalls(served);
  for (const script of [true, false]) {
    await page.setJavaScriptEnabled(script);
    await page.goto(`${served.origin}/console/log`);
    if (script) {
      await choose(page, "status", "failed");
      await choose(page, "period", "7d");
      assertEquals(new URL(page.url()).search, "?period=7d&status=failed"); // nothing empty
    } else {
      await page.select('select[name="status"]', "failed");
      await page.select('select[name="period"]', "7d");
      await Promise.all([page.waitForNavigation(), page.click(".log-filters [type=submit]")]);
    }
    const fields = new URL(page.url()).searchParams;
    assertEquals([fields.get("status"), fields.get("period")], ["failed", "7d"]);
    assertEquals((await page.$$("tbody tr")).length, 2);
    await Promise.all([page.waitForNavigation(), page.click("tbody a.id")]);
    await page.waitForSelector("#verdict");
    assertStringIncludes(
      await page.content(),
      "The gateway could not connect to third on the last of 3 attempts.",
    );
  }
});

/** A choice applies at once. */
async function choose(page: Page, name: string, value: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.select(`select[name="${name}"]`, value)]);
}

signedInTest("new calls are announced, and nothing moves by itself", async (page, served) => {
  const { store } = served.console;
  await addCall(store, { ...callIdAt(60_000, 1) });
  await page.goto(`${served.origin}/console/log?live=1`);
  await addCall(store, { ...callIdAt(0, 2), durationMs: 1_000 });
  await page.waitForFunction(() =>
    [...document.querySelectorAll("a.button")].some((one) => one.textContent === "1 new call")
  );
  assertEquals((await page.$$("tbody tr")).length, 1);
  await Promise.all([
    page.waitForNavigation(),
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("a.button")]
        .find((one) => one.textContent === "1 new call")?.click()
    ),
  ]);
  assertEquals((await page.$$("tbody tr")).length, 2);
});

signedInTest("without a script live is a link to newer calls", async (page, served) => {
  await addCall(served.console.store, { ...callIdAt(60_000, 1) });
  await page.setJavaScriptEnabled(false);
  await page.goto(`${served.origin}/console/log?live=1`);
  assertStringIncludes(await page.content(), ">Show new calls<");
});

for (const script of [true, false]) {
  signedInTest(
    `the log's density and columns are chosen ${script ? "with" : "without"} a script`,
    async (page, served) => {
      await addCalls(served);
      await page.setJavaScriptEnabled(script);
      await page.goto(`${served.origin}/console/log?period=24h`);
      assertEquals(await rowHeights(page), [40]);
      await page.click("[popovertarget=log-look]");
      await page.click("[name=density][value=compact]");
      await page.click("[name=column][value=input]");
      await Promise.all([page.waitForNavigation(), page.click("#log-look [type=submit]")]);
      assertEquals(new URL(page.url()).search, "?period=24h");
      assertEquals(await rowHeights(page), [32]);
      const heads = await page.$$eval("thead th", (all) => all.map((one) => one.textContent));
      assertEquals([heads.includes("Tokens in"), heads.includes("Tokens out")], [false, true]);
      await page.setViewport({ width: 390, height: 844 });
      assert((await rowHeights(page))[0] > 40, "a finger needs its two lines");
    },
  );
}

signedInTest("a long status beside the drawer ends in …", async (page, served) => {
  const [call, other] = [callIdAt(60_000, 1), callIdAt(120_000, 2)];
  const unpriced = { status: 403, outcome: "refused", errorCode: "model_unpriced" } as const;
  await addCall(served.console.store, { ...call, ...unpriced });
  await addCall(served.console.store, { ...other, durationMs: 300_000 });
  await page.setViewport({ width: 1_200, height: 800 });
  await page.goto(`${served.origin}/console/log?call=${call.id}`);
  const cells = await page.$$eval("tbody .what-came", (all) =>
    all.map((cell) => ({
      text: cell.textContent,
      title: cell.querySelector("[title]")?.getAttribute("title"),
      isCut: cell.scrollWidth > cell.clientWidth,
      // Only text that is in line with the cell gets an ellipsis; a box in it is cut off.
      ends: getComputedStyle(cell).textOverflow === "ellipsis" &&
        [...cell.querySelectorAll("span:not(.unseen)")].every((one) =>
          getComputedStyle(one).display === "inline"
        ),
      height: cell.getBoundingClientRect().height,
    })));
  for (const { text, title, ends, height } of cells) {
    assertEquals([title, ends, Math.round(height)], [text, true, 40]);
  }
  assertEquals(cells.some(({ isCut }) => isCut), true);
});

signedInTest("a bar leads to the calls of its stretch of time", async (page, served) => {
  await addCalls(served);
  await page.goto(`${served.origin}/console/log?period=24h`);
  await Promise.all([page.waitForNavigation(), page.click(".log-bars a:last-of-type")]);
  const fields = new URL(page.url()).searchParams;
  assertEquals([fields.has("from"), fields.has("to"), fields.has("period")], [true, true, false]);
});

signedInTest("a search goes on by itself and adds what it finds", async (page, served) => {
  await addManyCalls(served);
  await page.goto(`${served.origin}/console/log?q=rare`);
  await page.waitForFunction(() => document.body.textContent?.includes("Searched all 4,000 calls"));
  assertEquals((await page.$$("#found-calls tbody tr")).length, 2);
  assertEquals((await page.$$(".search-steps .button")).length, 0);
});

signedInTest("a search without a match ends with its own empty state", async (page, served) => {
  await addManyCalls(served);
  await page.goto(`${served.origin}/console/log?q=nowhere`);
  await page.waitForFunction(() => document.body.textContent?.includes("Searched all 4,000 calls"));
  assertStringIncludes(
    await page.$eval("#found-calls", (calls) => calls.textContent ?? ""),
    "No calls match",
  );
});

signedInTest("a click stops a search, and another goes on", async (page, served) => {
  await addManyCalls(served);
  let asked = 0;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.resourceType() === "fetch" && ++asked === 2) return; // this step stays open
    void request.continue();
  });
  await page.goto(`${served.origin}/console/log?q=nowhere`);
  await page.waitForFunction(() => document.body.textContent?.includes("2,000 calls, 0 found"));
  await page.waitForSelector(".search-steps button");
  assertEquals(await searchButton(page), "Stop search");
  await page.click(".search-steps button");
  await page.waitForFunction(() =>
    document.querySelector(".search-steps button")?.textContent === "Continue search"
  );
  await page.click(".search-steps button");
  await page.waitForFunction(() => document.body.textContent?.includes("Searched all 4,000 calls"));
});

signedInTest("a search stops at a full list, and goes on to all matches", async (page, served) => {
  await addManyCalls(served, (n) => n === 3 || (n >= 1_500 && n < 1_700));
  await page.goto(`${served.origin}/console/log?q=rare`);
  for (const found of [51, 101, 151, 201]) {
    await page.waitForFunction(
      (text) => document.querySelector(".search-steps [role]")?.textContent?.endsWith(text),
      {},
      `, ${found} found`,
    );
    assertEquals((await page.$$("#found-calls tbody tr")).length, found);
    await page.click(".search-steps button");
  }
  await page.waitForFunction(() =>
    document.body.textContent?.includes("Searched all 4,000 calls, 201 found")
  );
  assertEquals((await page.$$("#found-calls tbody tr")).length, 201);
});

signedInTest(
  "a search that outlives its session leads to the sign-in page",
  async (page, served) => {
    await addManyCalls(served, (n) => n === 3 || n >= 1_500);
    await page.goto(`${served.origin}/console/log?q=rare`);
    await page.waitForFunction(() =>
      document.querySelector(".search-steps button")?.textContent === "Continue search"
    );
    await page.browserContext().deleteCookie(...await page.browserContext().cookies());
    await Promise.all([page.waitForNavigation(), page.click(".search-steps button")]);
    assertEquals(new URL(page.url()).pathname, "/login");
  },
);

signedInTest("without a script a search goes on by a link", async (page, served) => {
  await addManyCalls(served);
  await page.setJavaScriptEnabled(false);
  await page.goto(`${served.origin}/console/log?q=rare`);
  for (let step = 1; step < 4; step++) {
    assertEquals(await searchButton(page), "Search older calls");
    await Promise.all([page.waitForNavigation(), page.click(".search-steps .button")]);
  }
  assertStringIncludes(await page.content(), "Searched all 4,000 calls, 2 found");
});

signedInTest("steps of a search are whole in both themes at every width", async (page, served) => {
  await addManyCalls(served);
  await lookAt(page, served.origin, { log_searched: "/console/log?q=rare" });
});

function searchButton(page: Page): Promise<string | null> {
  return page.$eval(".search-steps .button", (button) => button.textContent);
}

/** So many that a search takes four steps; by default two of them are rare. */
async function addManyCalls(
  { console: { store } }: ServedConsole,
  isRare = (n: number) => n % 2_000 === 1_500,
): Promise<void> {
  withLimits({ logSearchMs: 0 });
  const rows = Array.from({ length: 4_000 }, (_, n) =>
    sampleRow(n, {
      ...callIdAt(n * 1_000, n),
      accountId: "owner",
      ...(isRare(n) && { userAgent: "rare/1.0" }),
    }));
  await leaveRows(store, rows);
}

signedInTest("every column of the log is in sight at 1280", async (page, served) => {
  await addCalls(served);
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${served.origin}/console/log`);
  const hidden = await page.$eval(".scroll", (region) => region.scrollWidth - region.clientWidth);
  assertEquals(hidden, 0);
});

async function addCalls({ console: { store } }: ServedConsole): Promise<void> {
  await addKey(store, { id: "key_1", name: "production-api-of-the-whole-company" });
  const keyName = "production-api-of-the-whole-company";
  const attempt = { upstreamModel: "acme-large-2026-11-01", upstreamFormat: "messages" } as const;
  const charged = {
    keyName,
    upstreamId: "acme",
    userAgent: "claude-cli/2.0.1 (external, cli)",
    stream: true,
    format: "messages" as const,
    model: "anthropic/claude-sonnet-4.5-preview-2026-11-01",
    costNanoUsd: 1_234_542_001n,
    costLines: [
      { bucket: "inputTokens", quantity: 1_234, nanoUsd: 3_702_000n },
      { bucket: "outputTokens", quantity: 56, nanoUsd: 1_230_840_001n },
    ],
  };
  await addCall(store, {
    ...charged,
    ...callIdAt(60_000, 1),
    status: 502,
    outcome: "upstream_error",
    errorCode: "upstream_unreachable",
    durationMs: 62_420,
    attempts: [
      {
        ...attempt,
        upstreamId: "first",
        startedAfterMs: 4,
        durationMs: 30_000,
        outcome: "timeout",
        errorCode: "upstream_timeout",
      },
      {
        ...attempt,
        upstreamId: "second",
        startedAfterMs: 30_100,
        durationMs: 400,
        outcome: "upstream_error",
        errorCode: "upstream_overloaded",
        status: 529,
      },
      {
        ...attempt,
        upstreamId: "third",
        startedAfterMs: 30_600,
        durationMs: 31_000,
        outcome: "upstream_error",
        errorCode: "upstream_unreachable",
      },
    ],
    notes: [{ path: "tools[0].strict", action: "dropped", reason: "not in this format" }],
  });
  await addCall(store, {
    keyName,
    ...callIdAt(90_000, 99),
    status: 402,
    outcome: "refused",
    errorCode: "insufficient_quota",
    refusedBy: {
      name: "key daily budget",
      kind: "money",
      limit: 5_000_000_000n,
      remaining: 120_000_000n,
      resetsAtMs: nowMs + 3_600_000,
    },
  });
  await addCall(store, { ...charged, ...callIdAt(60_000, 2), uncoveredNanoUsd: 1n });
  for (let n = 3; n < 60; n++) {
    await addCall(store, { ...charged, ...callIdAt(n * 60_000, n) });
  }
}

async function rowHeights(page: Page): Promise<number[]> {
  const heights = await page.$$eval(
    "tbody tr",
    (rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)),
  );
  return [...new Set(heights)];
}

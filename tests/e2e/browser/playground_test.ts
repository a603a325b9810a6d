import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "puppeteer-core";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { administrator, member } from "../../console/people.ts";
import {
  fund,
  openPlayground,
  type PlaygroundConsole,
} from "../../console/playground/playground_console.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { check, everywhere, picture, show } from "./look.ts";
import { signIn } from "./served_console.ts";

const path = "/console/playground";

interface Opened {
  readonly page: Page;
  readonly origin: string;
  readonly console: PlaygroundConsole;
  readonly complaints: readonly string[];
}

/** Runs a test on the playground of an administrator, or of a member without money. */
function playgroundTest(
  name: string,
  test: (opened: Opened) => Promise<void>,
  { who = administrator, config = {} } = {},
): void {
  browserTest(
    `browser: playground: ${name}`,
    () => servePlayground(config),
    async (site, browser) => {
      const page = await signIn(browser, site, who, { atMs: Date.now() });
      await show(page, "light", 1280);
      await test({ page, ...site, complaints: complaintsOf(page) });
    },
  );
}

async function servePlayground(config: Record<string, unknown>) {
  const console = await openPlayground(config);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, console.fetch);
  return {
    console,
    origin: `http://localhost:${server.addr.port}`,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await console[Symbol.asyncDispose]();
    },
  };
}

async function open({ page, origin }: Opened, query = ""): Promise<void> {
  await page.goto(origin + path + query, { waitUntil: "networkidle0" });
}

/** Writes a message and sends it as the keyboard does. */
async function say(page: Page, text: string): Promise<void> {
  await page.type("#prompt", text);
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
}

/** Waits for an answer that is over, with what the log says of it. */
async function replied(page: Page, count = 1): Promise<string> {
  await page.waitForFunction(
    (count) => document.querySelectorAll(".reply-facts a").length >= count,
    { timeout: 10_000 },
    count,
  );
  return await page.$$eval(".reply", (all) => all.at(-1)?.textContent ?? "");
}

/** Looks at what is there in both themes at every width. */
async function lookAround(page: Page, name: string): Promise<void> {
  await everywhere(page, () => check(page, `playground_${name}`));
  await show(page, "light", 1280);
}

playgroundTest("sends, streams, and says what it cost", async (opened) => {
  const { page, complaints } = opened;
  await open(opened);
  await lookAround(page, "empty");
  await say(page, "hello there, how are you?");
  const reply = await replied(page);
  assertMatch(reply, /hello there/);
  assertMatch(reply, /\d+ in, \d+ out/);
  assertMatch(reply, /\$0\.0/);
  assertMatch(reply, /First byte\d.*Total\d/);
  assertMatch(
    await page.$eval("p[role=status]", (it) => it.textContent),
    /has responded/,
  );
  await page.click(".raw summary");
  assertMatch(await page.$eval(".raw", (it) => it.textContent), /POST \/v1\/chat\/completions/);
  assertMatch(await page.$eval(".raw", (it) => it.textContent), /data: \[DONE\]/);
  await lookAround(page, "answered");
  assertEquals(complaints, []);
});

for (const format of ["chat-completions", "responses", "messages", "generate-content"]) {
  playgroundTest(`a tool loop in ${format}, regenerated and edited`, async (opened) => {
    const { page, complaints } = opened;
    await open(opened, `?model=tessera-echo&format=${format}&effort=low`);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>(".rare")) fold.open = true;
      const buttons = [...document.querySelectorAll<HTMLButtonElement>(".link-button")];
      buttons[0].click();
    });
    await say(page, 'call weather {"city":"Oslo"}');
    assertMatch(await replied(page), /weather.*"city": "Oslo"/s);
    if (format === "messages") await lookAround(page, "tools");
    await say(page, "and now?");
    assertMatch(
      await page.$eval(".composer .fault", (it) => it.textContent),
      /waiting for tool results/,
    );
    await page.type(".results textarea", "Sleet, -2 °C");
    await page.click(".results button[type=submit]");
    assertMatch(await replied(page, 2), /Sleet/);
    await page.click(".lane > .reply:last-child button[aria-label='Regenerate']");
    await page.waitForFunction(() => document.querySelectorAll(".reply-facts a").length === 1);
    assertMatch(await replied(page, 2), /Sleet/);
    await page.click(".said button[aria-label=Edit]");
    await page.waitForSelector(".said textarea");
    await page.type(".said textarea", " please");
    await page.click(".said button[type=submit]");
    await page.waitForFunction(() => document.querySelectorAll(".reply").length === 1);
    assertMatch(await replied(page), /weather/);
    assertEquals(complaints, []);
  });
}

playgroundTest("Esc stops, and the gateway hears of it", async (opened) => {
  const { page, console } = opened;
  await open(opened);
  await say(page, `pace 100 ${"word ".repeat(200)}`);
  await page.waitForFunction(() =>
    document.querySelector(".reply .markdown")?.textContent?.includes("word")
  );
  await lookAround(page, "running");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() =>
    document.querySelector(".reply")?.textContent?.includes("Stopped.")
  );
  assertMatch(await replied(page), /\$0\.0/);
  const { rows: [row] } = await listRequestLogs(console.store, { limit: 1 });
  assertEquals(row.outcome, "client_gone");
  await say(page, `pace 100 ${"word ".repeat(200)}`);
  await page.waitForFunction(() => document.querySelectorAll(".reply .markdown").length === 2);
  await page.click(".composer .primary");
  assertMatch(await replied(page, 2), /Stopped\./);
  assertEquals(await page.$eval(".composer", (it) => it.querySelector(".fault")?.textContent), "");
  assertMatch(await page.$eval(".composer .primary", (it) => it.textContent), /Send/);
});

playgroundTest("two models side by side get the same prompt", async (opened) => {
  const { page, complaints } = opened;
  await open(
    opened,
    "?model=tessera-echo&format=messages&model2=tessera-echo&format2=generate-content",
  );
  await say(page, "hello twice");
  await replied(page, 2);
  assertEquals(await page.$$eval(".lane .reply", (all) => all.length), 2);
  await lookAround(page, "two");
  const formats = await page.$$eval(
    ".lane .raw pre:first-of-type",
    (all) => all.map(({ textContent }) => textContent.split("\n")[0]),
  );
  assertEquals(formats, [
    "POST /v1/messages",
    "POST /v1beta/models/tessera-echo:streamGenerateContent?alt=sse",
  ]);
  await page.click(".lane-head .icon-button[aria-label^='Remove model 2']");
  assertEquals(await page.$$eval(".lane", (all) => all.length), 1);
  await page.waitForFunction(() => !new URLSearchParams(location.search).has("model2"));
  assertEquals(complaints, []);
});

playgroundTest("Markdown is shown as such, and code gets its colors", async (opened) => {
  const { page, complaints } = opened;
  await open(opened);
  const text = "this:\n\n## Keys\n\n| key | spend |\n|---|---:|\n| prod | $1.20 |\n\n" +
    "**Bold** <script>alert(1)</script> and [a link](https://example.com/a).\n\n" +
    "```sql\nSELECT key FROM calls WHERE day = '2026-11-16';\n```\n\n1. one\n2. two";
  await page.$eval("#prompt", (area, text) => {
    (area as HTMLTextAreaElement).value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
  await page.click(".composer .primary");
  await replied(page);
  await page.waitForSelector(".code-block .token.keyword");
  assertEquals(await page.$eval(".markdown h4", (one) => one.textContent), "Keys");
  assertEquals(await page.$eval(".markdown td.n", (one) => one.textContent), "$1.20");
  assertEquals(await page.$eval(".markdown a", (one) => [one.getAttribute("href"), one.rel]), [
    "https://example.com/a",
    "noopener noreferrer nofollow",
  ]);
  assertMatch(await page.$eval(".markdown", (one) => one.textContent), /<script>alert/);
  await lookAround(page, "markdown");
  assertEquals(complaints, []);
});

playgroundTest(
  "a link has models and parameters, and the texts only on request",
  async (opened) => {
    const { page } = opened;
    await open(opened, "?model=tessera-echo&temperature=0.5");
    await page.type("#field-system", "Be brief");
    await page.type("#prompt", "my secret");
    await page.click(".lane-actions .button.small:last-of-type");
    const link = () => page.$eval("dialog[open] .snippet code", (one) => one.textContent ?? "");
    assertMatch(await link(), /temperature=0.5/);
    assertEquals(/brief|secret/.test(await link()), false);
    await page.click("dialog[open] input[type=checkbox]");
    assertMatch(await link(), /^[^#]*temperature=0.5[^#]*#system=Be\+brief&prompt=my\+secret$/);
    await lookAround(page, "link");
    const address = await link();
    await page.goto("about:blank");
    await page.goto(address, { waitUntil: "networkidle0" });
    assertEquals(
      await page.$eval("#prompt", (one) => (one as HTMLTextAreaElement).value),
      "my secret",
    );
    assertEquals(
      await page.$eval("#field-system", (one) => (one as HTMLTextAreaElement).value),
      "Be brief",
    );
    assertEquals(page.url().includes("secret"), false, "it leaves the address");
  },
);

playgroundTest("four models, and the code in the language last used", async (opened) => {
  const { page, complaints } = opened;
  await open(opened);
  for (const _ of [2, 3, 4]) await page.click(".lane-actions .button.small");
  assertEquals(
    await page.$eval(".lane-actions .button", (one) => (one as HTMLButtonElement).disabled),
    true,
  );
  await say(page, "hello all");
  await replied(page, 4);
  await lookAround(page, "four");
  await page.evaluate(() => scrollTo(0, 0));
  await page.click(".lane-actions .spacer + .button.small");
  await page.click("dialog[open] .segments button:nth-child(3)");
  await page.reload({ waitUntil: "networkidle0" });
  assertEquals(await page.$$eval(".lane-head", (all) => all.length), 4);
  await page.click(".lane-actions .spacer + .button.small");
  await page.waitForSelector("dialog[open] code");
  assertMatch(await page.$eval("dialog[open] code", (it) => it.textContent), /import OpenAI/);
  assertEquals(complaints, []);
});

playgroundTest("what goes wrong is said, with a way on", async (opened) => {
  const { page } = opened;
  await open(opened);
  await say(page, "fail 429");
  assertMatch(await replied(page), /Rate limited.*Wait \d+ s/s);
  await lookAround(page, "limited");
  await say(page, "fail midway");
  assertMatch(await replied(page, 2), /Stream interrupted/);
  await lookAround(page, "broken");
  await page.$eval(".rare", (fold) => (fold as HTMLDetailsElement).open = true);
  await page.type("#field-temperature", "9");
  await page.type("#field-tools", "[{{]");
  await say(page, "hello");
  assertMatch(
    await page.$eval(".composer .fault", (it) => it.textContent),
    /highlighted parameters first/,
  );
  await lookAround(page, "faults");
});

playgroundTest("the code of the next request", async (opened) => {
  const { page, complaints } = opened;
  await open(opened);
  await page.type("#prompt", "it's");
  await page.click(".lane-actions .spacer + .button.small");
  await page.waitForSelector("dialog[open] code");
  assertMatch(await page.$eval("dialog[open] code", (it) => it.textContent), /curl 'http/);
  await lookAround(page, "code");
  await page.click("dialog[open] .segments button:nth-child(2)");
  assertMatch(
    await page.$eval("dialog[open] code", (it) => it.textContent),
    /from openai import OpenAI/,
  );
  await page.keyboard.press("Escape");
  assertEquals(await page.$("dialog[open]"), null);
  assertEquals(complaints, []);
});

playgroundTest(
  "a session that ended leads to the sign-in, and a gateway that is gone is said",
  async (opened) => {
    const { page } = opened;
    await open(opened);
    await page.browserContext().deleteCookie(...await page.browserContext().cookies());
    await say(page, "hello");
    await page.waitForSelector(".reply .alert a[href^='/login']");
    assertMatch(await page.$eval(".reply", (it) => it.textContent), /You are signed out/);
    await page.setOfflineMode(true);
    await say(page, "hello again");
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".reply")].at(-1)?.textContent?.includes("did not respond")
    );
  },
);

playgroundTest("in Chinese, with two groups to choose from", async (opened) => {
  const { page, origin, complaints } = opened;
  await page.setExtraHTTPHeaders({ "accept-language": "zh-CN" });
  await page.goto(`${origin}${path}?model2=tessera-echo&model=tessera-echo&group2=coding`);
  await say(page, "你好");
  assertMatch(await replied(page, 2), /你好/);
  assertEquals(await page.$$eval("select[name=group]", (all) => all.map(({ value }) => value)), [
    "default",
    "coding",
  ]);
  await lookAround(page, "chinese");
  assertEquals(complaints, []);
}, { config: { groups: ["default", "coding"].map((id) => ({ id, models: ["*"] })) } });

playgroundTest("files go with a message, up to a bound", async (opened) => {
  const { page } = opened;
  const folder = await Deno.makeTempDir();
  const [picture, large] = [`${folder}/dot.png`, `${folder}/large.bin`];
  await Deno.writeFile(picture, Uint8Array.fromBase64(dot));
  await Deno.writeFile(large, new Uint8Array(9 * 1024 * 1024));
  await open(opened);
  const input = await page.$("input[type=file]");
  await input?.uploadFile(picture);
  await page.waitForSelector(".composer .files li");
  await input?.uploadFile(large);
  await page.waitForFunction(() =>
    document.querySelector(".composer .fault")?.textContent?.includes("large.bin is too large")
  );
  await lookAround(page, "files");
  await say(page, "look");
  assertMatch(await replied(page), /image/i);
  assertMatch(await page.$eval(".said .files", (it) => it.textContent), /dot\.png/);
  await removeFolder(folder);
});

/** A picture of one pixel. */
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

playgroundTest("an empty balance", async (opened) => {
  const { page, console } = opened;
  await open(opened);
  await say(page, "hello");
  assertMatch(await replied(page), /Not enough balance for this call.*Add funds/s);
  await lookAround(page, "poor");
  await fund(console.store);
  await page.click(".reply button[aria-label='Regenerate']");
  await page.waitForFunction(() => document.querySelector(".reply .markdown") !== null);
}, { who: member });

playgroundTest("no model to talk to", async (opened) => {
  await open(opened);
  await lookAround(opened.page, "no_models");
  assertEquals(opened.complaints, []);
}, { config: { groups: [{ id: "default", models: ["nothing"] }] } });

playgroundTest("its scripts stay within 48 KB gzipped, without colors of code", async (opened) => {
  const { page } = opened;
  const sizes: number[] = [];
  page.on("response", async (response) => {
    if (!response.headers()["content-type"]?.includes("javascript")) return;
    const bytes = new Uint8Array(await response.buffer());
    const zipped = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
    sizes.push((await new Response(zipped).arrayBuffer()).byteLength);
  });
  await open(opened);
  const sum = sizes.reduce((total, size) => total + size, 0);
  globalThis.console.log(`${path}: ${sum} bytes of script, gzipped`);
  assert(sum > 0 && sum <= 48 * 1024);
});

playgroundTest("without a script the form asks once", async (opened) => {
  const { page } = opened;
  await page.setJavaScriptEnabled(false);
  await open(opened);
  await page.type("#prompt", "hello there");
  await Promise.all([page.waitForNavigation(), page.click("button[type=submit].primary")]);
  assertMatch(await page.$eval(".reply", (it) => it.textContent), /hello there/);
  await picture(page, "playground_no_script");
});

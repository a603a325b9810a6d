import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Browser, Page } from "puppeteer-core";
import { chatAnswer } from "../../../formats/whole_answer.ts";
import { browserTest, complaintsOf } from "../chromium.ts";
import { check, everywhere, show } from "../look.ts";
import { Counted } from "./counted.ts";
import { type ServedGateway, serveGateway } from "./served_gateway.ts";
import { assertTarget } from "./target.ts";

const providerKey = "sk-provider-0123456789";

interface Scene {
  readonly gateway: ServedGateway;
  readonly browser: Browser;
}

function journey(name: string, test: (scene: Scene) => Promise<void>): void {
  browserTest(
    `journey: ${name}`,
    serveGateway,
    async (gateway, browser) => await test({ gateway, browser }),
  );
}

/** Presets of local servers, with their default ports. */
const localServers = [["vllm", 8000], ["lm-studio", 1234], ["llama-cpp", 8080], [
  "ollama",
  11434,
]] as const;

/** A provider at the address that a preset names, which wants a key; the first of them that is free. */
function startProvider() {
  for (const [preset, port] of localServers) {
    try {
      const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, answer);
      return { preset, stop: () => server.shutdown() };
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  return undefined;
}

function answer(request: Request): Response {
  if (request.headers.get("authorization") !== `Bearer ${providerKey}`) {
    return Response.json({ error: { message: "No such key" } }, { status: 401 });
  }
  if (request.method === "GET") {
    return Response.json({ object: "list", data: [{ id: "house-model", object: "model" }] });
  }
  return Response.json(
    chatAnswer({ content: "OK" }, { model: "house-model" }),
  );
}

async function toWelcome({ gateway, browser }: Scene): Promise<Counted> {
  const page = await browser.newPage();
  await page.goto(gateway.origin + gateway.setupPath);
  const person = new Counted(page);
  await person.type("#email", "mira@example.com");
  await person.type("#password", "correct horse battery staple");
  await person.follow("button.primary");
  assertStringIncludes(page.url(), "/console/welcome");
  return person;
}

const printedKey = "printed-at-start";

/** As a person copies it from the terminal. */
function printedSecret({ gateway }: Scene): string {
  return gateway.parts.notices?.firstKeySecret ?? "";
}

/** True for each step that shows its tick and says that it is done. */
const tickedIn = (page: Page) =>
  page.$$eval(
    ".first-steps > li",
    (steps) =>
      steps.map((step) =>
        [".mark > .icon", ".ticked"].every((part) => step.querySelector(part)?.checkVisibility())
      ),
  );

const isConnected = () => document.querySelector(".check.connected") !== null;
const copied = (selector: string) =>
  document.querySelector(`${selector} [role=status]`)?.textContent === "Copied";

journey("J1, first start to first good call: 5 clicks, 3 fields", async (scene) => {
  const provider = startProvider();
  assert(provider, "all the ports of local servers are taken");
  try {
    const person = await toWelcome(scene); // ①
    const { page } = person;
    const complaints = complaintsOf(page);
    await person.click(`input[value="${provider.preset}"]`); // ②
    await person.type("#key", providerKey);
    await person.follow("button.primary"); // ③
    assertEquals(new URL(page.url()).pathname, "/console/welcome");
    await page.waitForFunction(() =>
      document.querySelector(".check")?.getAttribute("data-phase") === "waiting"
    );
    assertStringIncludes(await page.$eval("main", (one) => one.textContent ?? ""), printedKey);
    assertEquals(await page.$(".secret"), null, "the start printed the secret");
    await person.click(".fresh-key .snippet-tabs .snippet button"); // ④
    await page.waitForFunction(copied, {}, ".fresh-key .snippet-tabs .snippet");
    const snippet = await page.$eval(
      ".fresh-key .snippet-tabs .snippet code",
      (one) => one.textContent ?? "",
    );
    assertStringIncludes(snippet, "house-model");
    assertEquals(await page.evaluate(isConnected), false);
    assertEquals(await tickedIn(page), [true, true, false]);
    await person.click(".check form button"); // ⑤
    await page.waitForFunction(isConnected, { timeout: 5_000 });
    assertStringIncludes(
      await page.$eval(".check", (one) => one.textContent ?? ""),
      "house-model answered in the Chat completions format",
    );
    assertEquals(await tickedIn(page), [true, true, true], "the last step ticks by itself");
    assertEquals(complaints, []);
    assertTarget("J1 first start to first good call", person);
    await page.goto(`${scene.gateway.origin}/console`);
    assertEquals(await page.$(".first-steps"), null, "the checklist is over");
  } finally {
    await provider.stop();
  }
});

journey(
  "J1 without a provider: what is pasted into a terminal turns the page green",
  async (scene) => {
    const person = await toWelcome(scene);
    const { page } = person;
    await person.follow('button[value="built-in"]');
    await page.waitForFunction(() =>
      document.querySelector(".check")?.getAttribute("data-phase") === "waiting"
    );
    await person.click(".fresh-key .snippet-tabs .snippet button");
    const snippet = await page.$eval(
      ".fresh-key .snippet-tabs .snippet code",
      (one) => one.textContent ?? "",
    );
    const pasted = snippet.replace("YOUR_KEY", printedSecret(scene)).replace("curl ", "curl -s ");
    await new Deno.Command("sh", { args: ["-c", pasted] }).output();
    await page.waitForFunction(isConnected, { timeout: 5_000 });
    assertEquals([person.clicks, person.fields], [3, 2]);
  },
);

journey(
  "J1 without a script: the page that waits loads itself until the call is there",
  async (scene) => {
    const page = await scene.browser.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(scene.gateway.origin + scene.gateway.setupPath);
    const person = new Counted(page);
    await person.type("#email", "mira@example.com");
    await person.type("#password", "correct horse battery staple");
    await person.follow("button.primary");
    await person.follow('button[value="built-in"]');
    const secret = printedSecret(scene);
    await person.follow(".check .actions a");
    assertStringIncludes(page.url(), "/console/welcome?");
    await fetch(`${scene.gateway.origin}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: "tessera-echo",
        messages: [{ role: "user", content: "hello" }],
      }),
    }).then((response) => response.text());
    await page.waitForSelector(".first-steps .done:nth-child(3)", { timeout: 15_000 });
    assertEquals(await tickedIn(page), [true, true, true]);
  },
);

journey("J6, Claude Code is set up in 2 clicks and confirmed by its call", async (scene) => {
  const person = await toWelcome(scene);
  const { page } = person;
  await person.follow('button[value="built-in"]');
  const secret = printedSecret(scene);
  await page.goto(`${scene.gateway.origin}/console`);
  const again = new Counted(page);
  await again.follow('.client-links a[href$="claude-code"]'); // ①
  await again.click(".snippet button"); // ②
  await page.waitForFunction(copied, {}, ".snippet");
  await page.waitForFunction(() =>
    document.querySelector(".check")?.getAttribute("data-phase") === "waiting"
  );
  const model = await page.$eval(
    ".snippet code",
    (one) => /ANTHROPIC_MODEL='(.*)'/.exec(one.textContent ?? "")?.[1],
  );
  const call = (path: string, key: string) =>
    fetch(`${scene.gateway.origin}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "anthropic-version": "2023-06-01",
        "user-agent": "claude-cli/2.1.329 (external, cli)",
      },
      body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
    }).then((response) => response.text());
  await call("/v1/v1/messages?beta=true", secret);
  await page.waitForSelector(".findings .bad");
  const found = await page.$eval(".findings", (one) => one.textContent ?? "");
  assertStringIncludes(
    found,
    "Base URL has an extra path segment: the call went to /v1/v1/messages",
  );
  assertStringIncludes(found, scene.gateway.origin);
  await call("/v1/messages?beta=true", secret);
  await page.waitForFunction(isConnected, { timeout: 5_000 });
  assertTarget("J6 Claude Code is set up", again);
});

journey(
  "the check says whether it listens: waiting, timed out, waiting again, received",
  async (scene) => {
    const { page } = await toWelcome(scene);
    await page.evaluateOnNewDocument(() => {
      const { setTimeout } = globalThis;
      const quarterOfAnHour = 15 * 60_000;
      const hurried = (run: () => void, ms = 0) =>
        setTimeout(run, ms === quarterOfAnHour ? 3_000 : ms);
      Object.assign(globalThis, { setTimeout: hurried });
    });
    await Promise.all([page.waitForNavigation(), page.click('button[value="built-in"]')]);
    const state = (phase: string) =>
      page.waitForSelector(`.check[data-phase="${phase}"] .state b`)
        .then((one) => one?.evaluate((element) => element.textContent));
    assertEquals(await state("waiting"), `Waiting for a call with ${printedKey}…`);
    assertEquals(await state("timedOut"), `Timed out: no call with ${printedKey} was answered`);
    await page.click(".check button[type=button]");
    assertEquals(await state("waiting"), `Waiting for a call with ${printedKey}…`);
    await page.click(".check form button");
    await page.waitForSelector(".check.connected");
    assertEquals(
      await page.$eval(".check .state", (one) => one.textContent),
      `Connected: a call with ${printedKey} was answered`,
    );
  },
);

journey(
  "a new secret is shown and hidden in its panel and in every snippet at once",
  async (scene) => {
    const { page } = await toWelcome(scene);
    const shown = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".secret code, .snippet code")]
          .filter((one) => one.checkVisibility() && /sk-[0-9A-Za-z]{34}/.test(one.innerText)).length
      );
    await page.goto(`${scene.gateway.origin}/console/welcome?provider=built-in`);
    await Promise.all([page.waitForNavigation(), page.click('button[value="key"]')]);
    await page.click(".fresh-key > details > summary");
    await page.click(".fresh-key .clients details:nth-of-type(1) summary");
    assertEquals(await shown(), 0);
    await page.click(".secret summary");
    assertEquals(await shown(), 3, "the panel, the first call and the client that is open");
    await page.click(".secret summary");
    assertEquals(await shown(), 0);
  },
);

journey("the first steps are whole in both themes at every width", async (scene) => {
  const visitor = await scene.browser.newPage();
  await everywhere(visitor, async () => {
    await visitor.goto(scene.gateway.origin + scene.gateway.setupPath);
    await check(visitor, "welcome_account");
  });
  const { page } = await toWelcome(scene);
  const { origin } = scene.gateway;
  const complaints = complaintsOf(page);
  await everywhere(page, async () => {
    await page.goto(`${origin}/console/welcome`);
    await page.click('input[value="openai"]');
    await check(page, "welcome");
    await Promise.all([page.waitForNavigation(), page.click('button[value="built-in"]')]);
    await check(page, "welcome_printed_key");
    await Promise.all([page.waitForNavigation(), page.click('button[value="key"]')]);
    await page.click(".fresh-key > details > summary");
    await page.click(".fresh-key .clients details:nth-of-type(3) summary");
    await check(page, "welcome_key");
    await page.goto(`${origin}/console`);
    await check(page, "first_steps");
  });
  assertEquals(complaints, []);
});

journey("the first steps are whole in Chinese", async (scene) => {
  const { page } = await toWelcome(scene);
  await page.setExtraHTTPHeaders({ "accept-language": "zh-CN" });
  const { origin } = scene.gateway;
  await show(page, "light", 1280);
  await page.goto(`${origin}/console/welcome`);
  await check(page, "zh_welcome");
  await Promise.all([page.waitForNavigation(), page.click('button[value="built-in"]')]);
  await page.click(".fresh-key > details > summary");
  await check(page, "zh_welcome_key");
  await page.goto(`${origin}/console/connect?client=claude-code`);
  await check(page, "zh_connect");
});

journey("what a check finds is whole in both themes at every width", async (scene) => {
  const { page } = await toWelcome(scene);
  const { origin } = scene.gateway;
  await Promise.all([page.waitForNavigation(), page.click('button[value="built-in"]')]);
  const complaints = complaintsOf(page);
  await everywhere(page, async () => {
    await page.goto(`${origin}/console/connect?client=codex`);
    await page.waitForSelector('.check[data-phase="waiting"]');
    const wrong = { method: "POST", headers: { authorization: "Bearer YOUR_KEY" } };
    for (const path of ["/v1/v1/chat/completions", "/v1/chat/completions"]) {
      await (await fetch(origin + path, wrong)).body?.cancel();
    }
    await page.waitForSelector(".findings li:nth-child(2)");
    await page.$eval(".check", (one) => one.scrollIntoView({ block: "center" }));
    await check(page, "check_faults");
    await Promise.all([page.waitForNavigation(), page.click(".check-here button")]);
    await check(page, "check_steps");
    await page.waitForFunction(isConnected);
    await page.$eval(".check", (one) => one.scrollIntoView({ block: "center" }));
    await check(page, "check_connected");
  });
  assertEquals(complaints, []);
});

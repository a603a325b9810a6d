import { assertEquals } from "@std/assert";
import { GatewayError, noUsage } from "../../../lib/canonical/mod.ts";
import {
  createModel,
  createUpstream,
  type UpstreamRecord,
} from "../../../lib/store/catalog/mod.ts";
import { credentialsOf } from "../../../lib/upstreams/mod.ts";
import { callIdAt } from "../../console/calls/call_id.ts";
import { nowMs } from "../../console/people.ts";
import { addCall } from "../../console/records.ts";
import { sample, withGateway } from "../../console/upstreams/upstream_scene.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { adminTest, look, type Scene } from "./admin_scene.ts";
import { check, everywhere } from "./look.ts";

const list = "/console/admin/upstreams";
const prices = "/console/pricing";
const answer = chatAnswer({ content: "OK" }, {
  usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 },
});

/** Lists many models, and answers for all but one. */
function vendor(): FakeUpstream {
  const house = Array.from({ length: 8 }, (_, n) => ({ id: `house-${n}`, context_length: 32_000 }));
  const data = [{ id: "gpt-5" }, { id: "gpt-5-mini" }, ...house, { id: "m".repeat(120) }];
  return startUpstream(({ path, body, headers }) => {
    if (headers.get("authorization") !== "Bearer up-secret-of-the-vendor") {
      return Response.json({ error: { message: "Incorrect API key provided" } }, { status: 401 });
    }
    if (path.endsWith("/models")) return Response.json({ data });
    return body.includes("broken")
      ? Response.json({ error: { message: "The model is overloaded" } }, { status: 503 })
      : Response.json(answer);
  });
}

async function withUpstreams({ served }: Scene, base: string): Promise<void> {
  const { store, directory } = served.console;
  const { health } = withGateway(served.console, true);
  const endpoints = { "chat-completions": `${base}/v1` };
  const openai: UpstreamRecord = sample({
    id: "openai",
    endpoints,
    credentials: ["up-secret-of-the-vendor", "another", "third"],
    models: [...["gpt-*", "gone-model", "broken"].map((id) => ({ id })), {
      id: "fast",
      upstreamModel: "gpt-5-mini",
    }],
    priority: 5,
    weight: 2,
  });
  const long = { id: "w".repeat(64), models: [{ id: "m".repeat(200) }], enabled: false };
  const declared = { id: "declared", origin: "config", priority: 5 } as const;
  for (const one of [openai, sample(declared), sample({ ...long, endpoints })]) {
    await createUpstream(store, one);
  }
  await directory.refresh();
  const [refused, good] = credentialsOf(openai);
  const way = { upstream: openai, upstreamModel: "gpt-5", format: "chat-completions" } as const;
  const unauthorized = new GatewayError("upstream_unauthorized", "No", { upstreamStatus: 401 });
  health.begin({ ...way, credential: refused })?.ended(unauthorized);
  const slow = new GatewayError("rate_limit_exceeded", "Slower", { retryAfterSeconds: 90 });
  health.begin({ ...way, upstreamModel: "fast", credential: good })?.ended(slow);
  const pass = health.begin({ ...way, credential: good });
  pass?.answered(420);
  for (let n = 0; n < 40; n++) {
    const failed = n % 9 === 0;
    await addCall(store, {
      ...callIdAt(60_000 * n, n),
      upstreamId: "openai",
      model: n % 3 ? "gpt-5" : "house-model",
      usage: { ...noUsage, inputTokens: 12_000, outputTokens: 900 },
      firstByteMs: 300 + 20 * n,
      ...(failed && { status: 502, outcome: "timeout", errorCode: "upstream_timeout" }),
    });
  }
}

adminTest("upstreams are whole in both themes at every width", async (scene) => {
  await using upstream = vendor();
  withGateway(scene.served.console, true);
  await look(scene, { upstreams_empty: `${list}?model=gpt-5` });
  await withUpstreams(scene, upstream.base);
  await look(scene, {
    upstreams: `${list}?model=gpt-5&group=default&format=messages`,
    upstreams_none: `${list}?q=nobody&state=cooling`,
    upstream: `${list}/openai?done=keys`,
    upstream_declared: `${list}/declared`,
    upstream_long: `${list}/${"w".repeat(64)}`,
    upstream_new: `${list}/new`,
    upstream_copy: `${list}/new?from=openai`,
    upstream_delete: `${list}/openai/delete`,
    upstream_models: `${list}/openai/models`,
    upstream_import: `${list}/openai/import`,
  });
});

adminTest(
  "upstreams are tested, filled and ordered in both themes at every width",
  async (scene) => {
    const { served: { origin }, page } = scene;
    await using upstream = vendor();
    await withUpstreams(scene, upstream.base);
    await everywhere(page, async () => {
      await page.goto(`${origin}${list}`);
      const order = await page.$(".row-order summary");
      if (await order?.isVisible()) { // on phones it is on the upstream's page
        await order?.evaluate((one) => one.scrollIntoView({ block: "center" }));
        await order?.click();
        await check(page, "admin_upstreams_order");
      }
      await page.goto(`${origin}${list}/openai`);
      await page.$eval(
        "[popovertarget^=remove-]",
        (one) => one.scrollIntoView({ block: "center" }),
      );
      await page.click("[popovertarget^=remove-]");
      await check(page, "admin_upstream_key_question");
      await page.goto(`${origin}${list}/openai`);
      await Promise.all([page.waitForNavigation(), page.click('form[action$="/test"] button')]);
      await check(page, "admin_upstream_tested");
      await page.goto(`${origin}${list}/openai/models`);
      await Promise.all([page.waitForNavigation(), page.click("button[name=all]")]);
      await check(page, "admin_upstream_models_tested");
      await page.goto(`${origin}${list}/openai/import`);
      await page.click('input[name="use"]');
      await page.click('input[name="drop"]');
      await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
      await check(page, "admin_upstream_import_confirm");
    });
  },
);

adminTest("prices are whole in both themes at every width", async (scene) => {
  const { served: { origin, console: { store, directory } }, page } = scene;
  await look(scene, { prices_empty_proposals: `${prices}/proposals` });
  await using upstream = vendor();
  await withUpstreams(scene, upstream.base);
  const known = { createdAtMs: nowMs, origin: "console" } as const;
  const price = { input: 1.5, output: 12, cachedInput: 0.1, hostedTools: { "web-search": 10 } };
  await createModel(store, { id: "gpt-5", price, ...known });
  const tiers = [{ aboveInputTokens: 200_000, input: 5, output: 20 }];
  const dated = [
    { from: "1970-01-01T00:00:00Z", input: 2, output: 8 },
    { from: "2026-11-01T00:00:00Z", input: 3, output: 9, tiers },
    { from: "2026-12-24T00:00:00Z", input: 4, output: 10 },
  ];
  await createModel(store, { id: "gone-model", price: dated, ...known });
  await createModel(store, { id: "filed", price, createdAtMs: nowMs, origin: "config" });
  await directory.refresh();
  await look(scene, {
    prices: prices,
    prices_none: `${prices}?q=nobody`,
    price: `${prices}/model?name=gpt-5&done=saved`,
    price_dated: `${prices}/model?name=gone-model`,
    price_none: `${prices}/model?name=house-model&set=price`,
    price_declared: `${prices}/model?name=filed`,
    price_long: `${prices}/model?name=${"m".repeat(120)}`,
    prices_proposals: `${prices}/proposals`,
  });
  await everywhere(page, async () => {
    await page.goto(`${origin}${prices}/model?name=gpt-5&set=price`);
    await Promise.all([page.waitForNavigation(), page.click('button[value="try"]')]);
    await check(page, "admin_price_tried");
    await page.click("[popovertarget=delete-price]");
    await check(page, "admin_price_question");
    await page.goto(`${origin}${prices}/proposals`);
    await page.click('input[name="model"]');
    await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
    await check(page, "admin_prices_take");
  });
});

adminTest("an upstream is added by a test in one click, and its fault is named", async (scene) => {
  const { served: { origin, console }, page } = scene;
  await using upstream = vendor();
  withGateway(console, true);
  await page.goto(`${origin}${list}/new`);
  await page.select("#preset", "vllm");
  await page.type("#id", "mine");
  await page.type("#baseUrl", upstream.base);
  await page.type("#credentials", "a-wrong-key");
  await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
  await everywhere(page, () => check(page, "admin_upstream_fault"));
  await page.type("#credentials", "up-secret-of-the-vendor");
  await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
  assertEquals(new URL(page.url()).pathname, `${list}/mine`);
  await check(page, "admin_upstream_added");
});

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import { Metrics } from "../../lib/telemetry/mod.ts";
import { sampleRow } from "../store/samples.ts";

const served = { upstreamId: "up", outcome: "completed" } as const;

Deno.test("metrics: 10,000 model names of callers are at most 201 labels, whoever answers them", async () => {
  const metrics = new Metrics();
  for (let n = 0; n < 10_000; n++) metrics.observe(sampleRow(n, { ...served, model: `m${n}` }));
  const text = await metrics.text();
  const models = new Set([...text.matchAll(/model="([^"]*)"/g)].map(([, model]) => model));
  assertEquals([models.size, models.has("other")], [201, true]);
  assertEquals(valueOf(text, 'tessera_requests_total{format="messages",model="other"'), 9_800);
});

Deno.test("metrics: model names that no upstream answers are other", async () => {
  const metrics = new Metrics();
  for (let n = 0; n < 10_000; n++) {
    metrics.observe(sampleRow(n, { model: `m${n}`, status: 404, outcome: "refused" }));
  }
  assertEquals(modelsIn(await metrics.text()), ["other"]);
});

Deno.test("metrics: a configured model has its label although it has never answered", async () => {
  const metrics = new Metrics((model) => model === "mine");
  for (const model of ["mine", "made-up"]) {
    metrics.observe(sampleRow(1, { model, status: 502, outcome: "upstream_error" }));
  }
  assertEquals(modelsIn(await metrics.text()), ["mine", "other"]);
});

Deno.test("metrics: a name that is too long is other", async () => {
  const metrics = new Metrics();
  metrics.observe(sampleRow(1, { ...served, model: "m".repeat(201) }));
  assertEquals(modelsIn(await metrics.text()), ["other"]);
});

Deno.test("metrics: however many groups and upstreams there are, there are about 1,000 series", async () => {
  const metrics = new Metrics();
  for (let n = 0; n < 5_000; n++) {
    metrics.observe(sampleRow(n, { ...served, groupId: `g${n}`, upstreamId: `up${n % 70}` }));
  }
  const text = await metrics.text();
  const series = text.split("\n").filter((line) => line.startsWith("tessera_requests_total{"));
  assertEquals(series.length, 1_001);
  const sum = series.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  assertEquals(sum, 5_000);
});

Deno.test("metrics: tokens by type, cost and refusals have the labels of their call", async () => {
  const metrics = new Metrics();
  metrics.observe(sampleRow(1, {
    ...served,
    usage: {
      ...noUsage,
      inputTokens: 10,
      cacheWrite5mTokens: 3,
      cacheWrite1hTokens: 4,
      reasoningTokens: 5,
    },
    costNanoUsd: 2_500_000_000n,
  }));
  metrics.observe(sampleRow(2, {
    outcome: "refused",
    status: 429,
    refusedBy: { name: "key daily budget", kind: "money", remaining: 0n },
  }));
  const text = await metrics.text();
  const labels = 'format="messages",model="m",upstream="up",group="default"';
  for (
    const line of [
      `tessera_tokens_total{${labels},direction="input",type="uncached"} 10`,
      `tessera_tokens_total{${labels},direction="input",type="cache_write"} 7`,
      `tessera_tokens_total{${labels},direction="output",type="reasoning"} 5`,
      `tessera_cost_usd_total{${labels}} 2.5`,
      'tessera_limit_refusals_total{limit="key daily budget",group="default"} 1',
      'tessera_request_duration_seconds_count{format="messages",model="m",upstream="up"} 1',
      'tessera_request_duration_seconds_count{format="messages",model="m",upstream="none"} 1',
    ]
  ) assertStringIncludes(text, `${line}\n`);
});

Deno.test("metrics: counts add up over several reads", async () => {
  const metrics = new Metrics();
  for (let n = 1; n <= 3; n++) {
    metrics.observe(sampleRow(n, served));
    assertEquals(valueOf(await metrics.text(), "tessera_requests_total{"), n);
  }
});

Deno.test("metrics: model names that hold quotation marks and line breaks stay in their label", async () => {
  const metrics = new Metrics();
  metrics.observe(sampleRow(1, { ...served, model: 'a"} 1\ntessera_requests_total{x="y' }));
  const lines = (await metrics.text()).split("\n");
  assert(lines.every((line) => /^(#.*|\w+(\{.*\})? [-+.\deInf]+|)$/.test(line)), lines.join("\n"));
});

function modelsIn(text: string): string[] {
  const models = [...text.matchAll(/model="([^"]*)"/g)].map(([, model = ""]) => model);
  return [...new Set(models)].sort();
}

function valueOf(text: string, start: string): number {
  const line = text.split("\n").find((line) => line.startsWith(start)) ?? "";
  return Number(line.slice(line.lastIndexOf(" ") + 1));
}

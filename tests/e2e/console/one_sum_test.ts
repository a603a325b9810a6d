import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { issueAdminToken } from "../../../lib/accounts/mod.ts";
import { decimalUsd } from "../../../lib/canonical/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { textOf } from "../../console/console.ts";
import { administrator, nowMs } from "../../console/people.ts";
import { callIdAt } from "../../console/calls/call_id.ts";
import { addCall } from "../../console/records.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { sampleProject } from "../../store/samples.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { until } from "../../waiting.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { signedInGateway } from "./console_gateway.ts";

/**
 * Every page and interface states the same money for the same calls. Of another product, two pages
 * priced the same requests from different inputs
 * (https://github.com/langwatch/langwatch/issues/7034).
 */

const dayMs = 86_400_000;
const usage = {
  input_tokens: 100,
  cache_read_input_tokens: 900,
  cache_creation_input_tokens: 50,
  output_tokens: 40,
};
const chunkOf = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

/** An upstream that answers, breaks off or fails, as the prompt says. */
function answer(body: string): Response {
  if (body.includes("fail")) return new Response("no", { status: 500 });
  if (!body.includes("break")) return Response.json(messagesAnswer({ usage }));
  const text = [
    chunkOf("message_start", { message: messagesAnswer({ content: [], usage }) }),
    chunkOf("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    chunkOf("content_block_delta", {
      index: 0,
      delta: { type: "text_delta", text: "Words that were delivered." },
    }),
  ];
  return new Response(pieces(text), { headers: { "content-type": "text/event-stream" } });
}

const sumOf = (rows: readonly RequestLogRow[]) =>
  rows.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n);

Deno.test("one sum: overview, log, keys, usage, management and metrics agree with the log's rows", async () => {
  await using upstream = startUpstream(({ body }) => answer(body));
  const price = { input: 2_000, cachedInput: 200, cacheWrite: 2_500, output: 9_000 };
  await using scene = await signedInGateway(administrator, {
    keys: [{ name: "test", group: "default", value: testKey }],
    upstreams: [{
      id: "up",
      endpoints: { messages: upstream.base },
      apiKeys: ["x"],
      models: ["m", "free"],
    }],
    models: [{ id: "m", price }, { id: "free", price: { input: 0, output: 0 } }],
  });
  const { gateway, get } = scene;
  const { store } = gateway.parts;
  await createProject(store, sampleProject({ id: "team", administrators: [administrator.id] }));
  const call = async (model: string, content: string, stream = false) => {
    const response = await fetch(`${gateway.origin}/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        model,
        max_tokens: 100,
        stream,
        messages: [{ role: "user", content: `${content} ${"and many words ".repeat(300)}` }],
      }),
    });
    await response.text();
  };
  for (const content of ["answer", "answer", "fail"]) await call("m", content);
  await call("free", "answer");
  await call("m", "break", true);
  const rowsNow = async () => (await listRequestLogs(store, { limit: 100 })).rows;
  await until(async () => (await rowsNow()).length === 5);
  const real = await rowsNow();
  assertEquals(
    new Set(real.map(({ outcome }) => outcome)),
    new Set(["completed", "upstream_error", "truncated"]),
  );

  const [key] = await listApiKeys(store, { accountId: "owner" });
  const midnight = Math.floor(Date.now() / dayMs) * dayMs;
  for (const [n, atMs] of [midnight - 1, midnight - dayMs, midnight - 5 * dayMs].entries()) {
    await addCall(store, {
      ...callIdAt(nowMs - atMs, n),
      keyId: key.id,
      keyName: key.name,
      model: "m",
      upstreamId: "up",
      costNanoUsd: BigInt(n + 1) * 1_111_111_111n,
      projectId: "team",
    });
  }
  const rows = await rowsNow();
  assertEquals(rows.length, 8);
  const total = sumOf(rows);
  const exact = decimalUsd(total);

  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const own = await (await fetch(
    `${gateway.origin}/v1/usage?start_date=${date(midnight - 6 * dayMs)}&end_date=${
      date(midnight)
    }`,
    { headers: { authorization: `Bearer ${testKey}` } },
  )).json();
  assertEquals([own.total.cost, own.total.requests], [exact, 8], JSON.stringify(own.total));

  const { secret } = await issueAdminToken(store, {
    name: "t",
    userId: administrator.id,
    scopes: ["*"],
  }, { nowMs: Date.now() });
  for (const by of ["total", "key", "user", "group", "model", "upstream", "project"]) {
    const from = new Date(midnight - 6 * dayMs).toISOString();
    const { data } = await (await fetch(`${gateway.origin}/api/v1/usage?by=${by}&from=${from}`, {
      headers: { authorization: `Bearer ${secret}` },
    })).json();
    const sum = data.reduce(
      (whole: bigint, { cost }: { cost: string }) => whole + nanoOf(cost),
      0n,
    );
    const all = by === "project" ? sumOf(rows.filter(({ projectId }) => projectId)) : total;
    assertEquals(sum, all, `${by}: ${JSON.stringify(data)}`);
  }

  const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
  const metered = [...metrics.matchAll(/^tessera_cost_usd_total\{[^}]*\} (\S+)$/gm)]
    .reduce((sum, [, value]) => sum + Number(value), 0);
  assert(Math.abs(metered - Number(sumOf(real)) / 1e9) < 1e-9, `${metered}`);

  const shown = `$${(Number(total) / 1e9).toFixed(2)}`;
  for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    for (
      const path of [
        "/console",
        "/console/log?period=7d",
        "/console/log?who=mine&period=7d",

        "/console/token",
        `/console/token/${key.id}`,
      ]
    ) {
      const text = textOf(await (await get(path, { tessera_zone: zone })).text());
      assert(text.includes(shown), `${zone} ${path}: ${shown} is not in ${text}`);
    }
  }
  const text = textOf(await (await get("/console/admin/projects/team")).text());
  assertStringIncludes(text, "Spend, 30 days $6.67");
});

function nanoOf(usd: string): bigint {
  const [whole, part = ""] = usd.split(".");
  return BigInt(whole + part.padEnd(9, "0"));
}

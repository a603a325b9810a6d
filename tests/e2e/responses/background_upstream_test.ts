import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { until } from "../../waiting.ts";
import { answered } from "../conversion/format_pair.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";
import { rowsOf } from "../interruptions/interrupted_call.ts";
import { wholeAnswers } from "./whole_answers.ts";

/**
 * A background response is the gateway's own work: of another gateway, `background: true` reached
 * the upstream, whose answer was queued, empty and billed
 * (https://github.com/BerriAI/litellm/issues/50462).
 */

async function withGateway(
  format: FormatName,
  answer: Parameters<typeof startUpstream>[0],
  run: (gateway: TestGateway, upstream: FakeUpstream) => Promise<void>,
): Promise<void> {
  await using upstream = startUpstream(answer);
  await using gateway = await startGateway({
    upstreams: [{
      id: "up",
      endpoints: { [format]: upstream.base },
      apiKeys: ["x"],
      models: ["m"],
    }],
    models: [{ id: "m", price: { input: 1, output: 2 } }],
  });
  await run(gateway, upstream);
}

async function post({ base }: TestGateway, body: JsonObject): Promise<Response> {
  return await fetch(`${base}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function retrieved({ base }: TestGateway, id: unknown): Promise<JsonObject> {
  const response = await fetch(`${base}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${testKey}` },
  });
  return await response.json();
}

for (const format of formatNames) {
  for (const stream of [false, true]) {
    Deno.test(`background to an upstream of ${format}, ${stream ? "streamed" : "polled"}: the upstream never hears of it, and the answer comes`, () =>
      withGateway(
        format,
        (seen) => answered(format, wholeAnswers[format], seen),
        async (gateway, { seen }) => {
          const response = await post(gateway, {
            model: "m",
            input: "hi",
            background: true,
            stream,
          });
          assertEquals(response.status, 200);
          const text = await response.text();
          const id = stream ? /"id":"(resp_\w+)"/.exec(text)?.[1] : JSON.parse(text).id;
          await until(async () => (await retrieved(gateway, id)).status === "completed", text);
          assert(JSON.stringify(await retrieved(gateway, id)).includes("Hi there"));
          assertEquals(seen.length, 1);
          assert(!seen[0].body.includes("background"), seen[0].body);
          const [row] = await rowsOf(gateway);
          assertEquals([row.outcome, row.usageSource], ["completed", "upstream"]);
          assert((row.costNanoUsd ?? 0n) > 0n);
        },
      ));
  }
}

const queued: JsonObject = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "m",
  background: true,
  output: [],
  usage: null,
};

for (const status of ["queued", "in_progress"]) {
  for (const background of [false, true]) {
    Deno.test(`an upstream that answers ${status} to a ${background ? "background" : "plain"} call has failed: nothing is charged, and the answer is no empty success`, () =>
      withGateway("responses", () => Response.json({ ...queued, status }), async (gateway) => {
        const response = await post(gateway, { model: "m", input: "hi", background });
        const first = await response.json();
        if (background) {
          await until(
            async () => (await retrieved(gateway, first.id)).status === "failed",
            "no end",
          );
        } else {assertEquals([response.status, first.error?.code], [
            502,
            "upstream_invalid_response",
          ]);}
        await until(async () => (await rowsOf(gateway)).length > 0);
        const [row] = await rowsOf(gateway);
        assertEquals([row.outcome, row.costNanoUsd], ["upstream_error", undefined]);
      }));
  }
}

import { assert, assertEquals } from "@std/assert";
import { type Fared, startWatched, type Watched } from "./heavy_load.ts";
import { startUpstream } from "./fake_upstream.ts";
import { testKey } from "./gateway.ts";

/** Requests and answers that cost more than they are long, at the sizes at which they are sent. */

const mebibyte = 1024 * 1024;
const healthMs = 250;

interface Sent {
  readonly path?: string;
  readonly key?: string;
  readonly body: BodyInit;
}

async function post(
  { server }: Watched,
  { path = "/v1/chat/completions", key = testKey, body }: Sent,
): Promise<{ status: number; code?: string; text: string }> {
  const response = await fetch(server.base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  return { status: response.status, code: /"code":"(\w+)"/.exec(text)?.[1], text };
}

async function assertHealthy(
  watched: Watched,
  name: string,
  work: () => Promise<unknown>,
): Promise<Fared> {
  const fared = await watched.during(work);
  const { healthMsMax, ownHealthMsMax, peakBytes } = fared;
  const peak = `${Math.round(peakBytes / mebibyte)} MiB`;
  console.log(
    `${name}: /healthz within ${healthMsMax} ms, ${ownHealthMsMax} of its own; peak ${peak}`,
  );
  assert(ownHealthMsMax <= healthMs, `/healthz took ${ownHealthMsMax} ms`);
  return fared;
}

const arrays = `[${"[],".repeat(32 * mebibyte / 3 - 100)}[]]`;
const hostile = [
  { name: "[[],[],…]", json: arrays },
  { name: "[[[[…", json: "[".repeat(32 * mebibyte - 200) },
  { name: '{"a":{"a":…', json: `{"a":`.repeat(32 * mebibyte / 5 - 100) },
  {
    name: "objects with a member each",
    json: `[${'{"a":0},'.repeat(32 * mebibyte / 8 - 100)}0]`,
  },
];

Deno.test("heavy bodies are refused before they are parsed", async (t) => {
  await using watched = await startWatched({});
  for (const { name, json } of hostile) {
    await t.step(`32 MiB of ${name}`, async () => {
      const body = new Blob([`{"model":"tessera-echo","messages":${json}}`]);
      await assertHealthy(watched, name, async () => {
        const answers = await Promise.all([1, 2, 3, 4].map(() => post(watched, { body })));
        for (const { status, code } of answers) {
          assertEquals([status, code], [413, "body_too_complex"]);
        }
      });
    });
  }
  const { peakBytes } = await watched.during(() => Promise.resolve());
  assert(peakBytes < 900 * mebibyte, `the process took ${peakBytes} bytes`);
});

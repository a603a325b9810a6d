import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { testKey } from "../gateway.ts";
import { conversation } from "./remembering_model.ts";

interface Asked {
  readonly base: string;
  readonly key?: string;
  readonly path?: string;
}

export async function post(
  { base, key = testKey, path = "/v1/responses" }: Asked,
  body: JsonObject,
) {
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", store: false, ...body }),
  });
  return { status: response.status, body: await response.json() };
}

export async function capsuleFrom(asked: Asked): Promise<JsonObject> {
  const { status, body } = await post(asked, {
    input: [...conversation(4_000), { type: "compaction_trigger" }],
  });
  assertEquals(status, 200, JSON.stringify(body));
  return body.output[0];
}

/** The request that goes on from a capsule. */
export const next = (capsule: JsonObject) => ({
  input: [capsule, { role: "user", content: "What do you know?" }],
});

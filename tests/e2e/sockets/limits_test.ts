import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { updateApiKey } from "../../../lib/store/api_keys/mod.ts";
import { RawClient } from "../../raw_client.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { makeWallet, walletKey } from "../money/wallet.ts";
import { startGated } from "./gated_upstream.ts";
import { type Frame, isType, openSocket } from "./session.ts";

/** The limits of a socket, and its ends. */

async function scene(settings: Record<string, unknown> = {}) {
  const upstream = startGated();
  const gateway = await startGateway({
    ...oneUpstream({ responses: upstream.base }),
    models: [{ id: "m", price: { input: 1_000, output: 1_000 } }],
    ...settings,
  });
  return {
    upstream,
    gateway,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const create = {
  type: "response.create",
  model: "m",
  input: "hi",
  store: false,
  max_output_tokens: 9,
};
const isError = (code: string) => (frame: Frame) =>
  frame.type === "error" && (frame.error as JsonObject).code === code;

Deno.test("limits: a lane answers in order, and 16 lanes at once", async () => {
  await using place = await scene();
  const { upstream, gateway } = place;
  using client = await openSocket(gateway, gateway.key);
  client.send({ ...create, stream_id: "l0", input: "l0 first" });
  client.send({ ...create, stream_id: "l0", input: "l0 second" });
  for (let n = 1; n < 17; n++) client.send({ ...create, stream_id: `l${n}`, input: `l${n}` });
  const begun = await Promise.all(Array.from({ length: 16 }, () => upstream.next()));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assertEquals(upstream.seen.length, 16);
  assert(begun.every(({ body }) => body.input !== "l0 second"));
  for (const call of begun) call.end();
  const rest = [await upstream.next(), await upstream.next()];
  assertEquals(rest.map(({ body }) => body.input).sort(), ["l0 second", "l16"]);
  for (const call of rest) call.end();
  await client.seen(() => client.frames.filter(isType("response.completed")).length === 18);
});

Deno.test("limits: names of lanes, frames that are none, and what a socket cannot do", async () => {
  await using place = await scene();
  const { gateway } = place;
  using client = await openSocket(gateway, gateway.key);
  const faultOf = async (frame: unknown, code: string) => {
    client.frames.length = 0;
    client.send(frame);
    const { status, error } = await client.seen(isError(code));
    const { param, message } = error as JsonObject;
    assertStringIncludes(String(message), "Not charged");
    return [status, param];
  };
  const bad = { type: "response.create", model: "absent", input: "x" };
  for (let n = 0; n < 32; n++) await faultOf({ ...bad, stream_id: `n${n}` }, "model_not_found");
  await faultOf({ ...bad, stream_id: "n0" }, "model_not_found");
  await faultOf(bad, "model_not_found");
  assertEquals(await faultOf({ ...bad, stream_id: "n32" }, "websocket_stream_limit_reached"), [
    400,
    "stream_id",
  ]);
  assertEquals(await faultOf({ ...bad, stream_id: "" }, "invalid_stream_id"), [400, "stream_id"]);
  assertEquals(await faultOf({ ...bad, stream_id: 7 }, "invalid_stream_id"), [400, "stream_id"]);
  assertEquals(await faultOf({ ...bad, generate: "no" }, "invalid_request_error"), [
    400,
    "generate",
  ]);
  assertEquals(await faultOf({ ...bad, background: true }, "invalid_request_error"), [
    400,
    "background",
  ]);
  assertEquals(await faultOf({ type: "response.cancel" }, "invalid_request_error"), [400, "type"]);
  assertEquals(await faultOf([], "invalid_request"), [400, null]);
  assertEquals(await faultOf("{", "invalid_json"), [400, null]);
  client.send({ type: "response.processed", response_id: "x" });
  client.socket.socket.send(new Uint8Array(3));
  assertEquals(await client.closed, 1003);
});

Deno.test("limits: a frame over the limit of bodies closes the socket with 1009", async () => {
  await using place = await scene({ limits: { bodyBytesMax: 100_000 } });
  using client = await openSocket(place.gateway, testKey);
  client.send({ ...create, input: "x".repeat(200_000) });
  assertEquals(await client.closed, 1009);
});

Deno.test("limits: at its age a socket lets calls end, begins none, and closes with 1000", async () => {
  await using place = await scene({ limits: { socketMs: 500 } });
  const { upstream, gateway } = place;
  using client = await openSocket(gateway, gateway.key);
  client.send({ ...create, stream_id: "a" });
  const call = await upstream.next();
  await new Promise((resolve) => setTimeout(resolve, 800));
  client.send({ ...create, stream_id: "b" });
  const refused = await client.seen(isError("websocket_connection_limit_reached"));
  assertEquals([refused.status, refused.stream_id], [400, "b"]);
  call.end();
  await client.seen(isType("response.completed"));
  assertEquals(await client.closed, 1000);
  assertEquals(client.frames.filter(isError("websocket_connection_limit_reached")).length, 2);
  using idle = await openSocket(gateway, gateway.key);
  await idle.seen(isError("websocket_connection_limit_reached"));
  assertEquals(await idle.closed, 1000);
});

Deno.test("limits: a key that is revoked ends the socket with 1008 at its next call", async () => {
  await using place = await scene();
  const { upstream, gateway } = place;
  const { store } = gateway.parts;
  await makeWallet(store, 1_000_000_000_000n);
  using client = await openSocket(gateway, walletKey);
  client.send(create);
  (await upstream.next()).end();
  await client.seen(isType("response.completed"));
  await updateApiKey(store, "key_wallet", (key) => ({ ...key, enabled: false }));
  while ((await fetch(`${gateway.base}/v1/models`, bearer(walletKey))).status === 200);
  client.send(create);
  assertEquals((await client.seen(isError("invalid_api_key"))).status, 401);
  assertEquals(await client.closed, 1008);
  assertEquals(upstream.seen.length, 1);
});

Deno.test("limits: a balance that ends refuses the next call, and the socket stays open", async () => {
  await using place = await scene();
  const { upstream, gateway } = place;
  await makeWallet(gateway.parts.store, 100_000_000n);
  using client = await openSocket(gateway, walletKey);
  client.send(create);
  (await upstream.next()).end(); // 10 tokens, a thousandth of a dollar each
  await client.seen(isType("response.completed"));
  client.send({ ...create, stream_id: "more", input: "word ".repeat(1_000) });
  const refused = await client.seen(isError("insufficient_quota"));
  assertEquals([refused.status, refused.stream_id], [402, "more"]);
  client.send({ type: "response.cancel" });
  await client.seen(isError("invalid_request_error"));
  using others = await openSocket(gateway, gateway.key);
  others.send({ ...create, previous_response_id: "resp_1" });
  await others.seen(isError("previous_response_not_found"));
});

Deno.test("limits: handshakes that are refused get an ordinary answer", async (test) => {
  await using place = await scene({ limits: { accountSocketsMax: 1 } });
  const { gateway } = place;
  const head = (path: string, lines: Record<string, string>) =>
    [`GET ${path} HTTP/1.1`, ...Object.entries(lines).map((line) => line.join(": "))]
      .join("\r\n") + "\r\n\r\n";
  const usual = {
    host: "127.0.0.1",
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    authorization: `Bearer ${gateway.key}`,
  };
  const answer = async (lines: Record<string, string>, path = "/v1/responses") => {
    using client = await RawClient.to(new URL(gateway.base));
    await client.write(head(path, lines));
    return await client.readUntil("\r\n\r\n");
  };
  const cases: Record<string, readonly [number, string, Record<string, string>, string?]> = {
    "a wrong key": [401, "application/json", { ...usual, authorization: "Bearer sk-wrong" }],
    "another version": [400, "application/json", { ...usual, "sec-websocket-version": "8" }],
    "no key of a handshake": [400, "application/json", { ...usual, "sec-websocket-key": "x" }],
    "another format": [426, "application/json", usual, "/v1/messages"],
    "no such address": [426, "application/json", usual, "/v1/responses/resp_1"],
  };
  for (const [name, [status, type, lines, path]] of Object.entries(cases)) {
    await test.step(name, async () => {
      const said = await answer(lines, path);
      assertStringIncludes(said, `HTTP/1.1 ${status} `);
      assertStringIncludes(said, type);
    });
  }
  await test.step("one socket too many", async () => {
    using _ = await openSocket(gateway, gateway.key);
    assertStringIncludes(await answer(usual), "HTTP/1.1 429 ");
  });
  await test.step("a browser's key, which is never echoed", async () => {
    const { authorization, ...rest } = usual;
    const protocols = `realtime, openai-insecure-api-key.${authorization.slice(7)}`;
    const lines = { ...rest, "sec-websocket-protocol": protocols };
    let said = await answer(lines);
    while (said.includes(" 429 ")) said = await answer(lines); // the last socket is closing
    assertStringIncludes(said, "HTTP/1.1 101 ");
    assertStringIncludes(said.toLowerCase(), "sec-websocket-protocol: realtime\r\n");
  });
});

Deno.test("limits: switched off, sockets are answered with 426", async () => {
  await using gateway = await startGateway({ sockets: false });
  const { body, status } = await fetch(`${gateway.base}/v1/responses`, {
    headers: { ...bearer(gateway.key).headers },
  });
  await body?.cancel();
  assertEquals(status, 405);
  const error = await openSocket(gateway, gateway.key).then(() => "opened", String);
  assertStringIncludes(error, "426");
});

Deno.test("limits: a stopping gateway lets calls end, then closes with 1001", async () => {
  await using upstream = startGated();
  const gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  using busy = await openSocket(gateway, gateway.key);
  using idle = await openSocket(gateway, gateway.key);
  busy.send(create);
  const call = await upstream.next();
  const stopped = gateway[Symbol.asyncDispose]();
  assertEquals(await idle.closed, 1001);
  busy.send({ ...create, stream_id: "late" });
  assertEquals((await busy.seen(isError("shutting_down"))).status, 503);
  call.say("bye");
  call.end();
  await busy.seen(isType("response.completed"));
  assertEquals(await busy.closed, 1001);
  await stopped;
});

function bearer(key: string) {
  return { headers: { authorization: `Bearer ${key}` } };
}

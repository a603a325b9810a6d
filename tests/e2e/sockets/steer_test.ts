import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { until } from "../../waiting.ts";
import { oneUpstream, startGateway } from "../gateway.ts";
import { type GatedCall, startGated } from "./gated_upstream.ts";
import { type Frame, isType, openSocket } from "./session.ts";

/** `response.steer`: a user's word for a response that runs. */

async function scene() {
  const upstream = startGated();
  const gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  const client = await openSocket(gateway, gateway.key);
  return {
    upstream,
    client,
    bodies: gateway.parts.gateway.bodies,
    store: gateway.parts.store,
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const create = { type: "response.create", model: "m", stream_id: "a", store: false };
const steer = (id: string, input: unknown = "Skip the tests") => ({
  type: "response.steer",
  previous_response_id: id,
  input,
});
/** An item that is not cut. */
const thinking = { type: "reasoning", id: "rs_1", summary: [] };
const failure = ({ error }: Frame) => (error as JsonObject).code;
const ofResponse = (type: string, id: string) => (frame: Frame) =>
  frame.type === type && (frame.response as JsonObject).id === id;

Deno.test("steer: a text is cut, and the input is sent behind it, with its settings", async () => {
  await using place = await scene();
  const { client, upstream } = place;
  client.send({ ...create, input: "Fix the parser", temperature: 0.5 });
  const first = await upstream.next();
  first.say("Fixed");
  first.say(", but");
  await client.seen(({ delta }) => delta === ", but");
  client.send(steer("resp_1"));
  client.send(
    steer("resp_1", [{ role: "user", content: [{ type: "input_text", text: "Be quick" }] }]),
  );
  const accepted = await client.seen(isType("response.steer.accepted"));
  assertEquals([accepted.stream_id, accepted.sequence_number], ["a", 5]);
  const cut = await client.seen(ofResponse("response.incomplete", "resp_1"));
  const response = cut.response as JsonObject;
  assertEquals([response.status, response.incomplete_details], ["incomplete", {
    reason: "steered",
  }]);
  const [message] = response.output as JsonObject[];
  assertEquals([message.status, (message.content as JsonObject[])[0].text], [
    "incomplete",
    "Fixed, but",
  ]);
  await first.seen.aborted;
  const second = await upstream.next();
  assertEquals(textsOf(second), ["Fix the parser", "Fixed, but", "Skip the tests", "Be quick"]);
  assertEquals(second.body.temperature, 0.5);
  const created = await client.seen(ofResponse("response.created", "resp_2"));
  assertEquals((created.response as JsonObject).previous_response_id, "resp_1");
  second.end();
  await client.seen(ofResponse("response.completed", "resp_2"));
  const events = client.frames.filter(({ type }) => !type.startsWith("response.steer"));
  assertEquals(events.slice(5).map(({ type, sequence_number }) => [type, sequence_number]), [
    ["response.output_text.done", 5],
    ["response.content_part.done", 6],
    ["response.output_item.done", 7],
    ["response.incomplete", 8],
    ["response.created", 0],
    ["response.completed", 1],
  ]);
});

Deno.test("steer: a silent response is cut at once, and its prompt is charged", async () => {
  await using place = await scene();
  const { client, upstream, store } = place;
  client.send({ ...create, input: "Think" });
  const first = await upstream.next();
  await client.seen(isType("response.created"));
  client.send(steer("resp_1"));
  const cut = await client.seen(ofResponse("response.incomplete", "resp_1"));
  assertEquals((cut.response as JsonObject).output, []);
  const { rows: [{ outcome, usage, usageSource }] } = await listRequestLogs(store, { limit: 1 });
  assertEquals([outcome, usageSource, usage?.outputTokens], ["completed", "counted", 0]);
  assert((usage?.inputTokens ?? 0) > 0, "the prompt was free");
  await first.seen.aborted;
  assertEquals(textsOf(await upstream.next()), ["Think", "Skip the tests"]);
});

Deno.test("steer: reasoning is finished, and nothing behind it is waited for", async () => {
  await using place = await scene();
  const { client, upstream } = place;
  client.send({ ...create, input: "Think" });
  const first = await upstream.next();
  const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" };
  first.begin({ ...thought, encrypted_content: "" });
  await client.seen(isType("response.output_item.added"));
  client.send(steer("resp_1"));
  await client.seen(isType("response.steer.accepted"));
  const summary = { item_id: "rs_1", summary_index: 0, delta: "Hm" };
  first.grow("response.reasoning_summary_text.delta", summary);
  await client.seen(isType("response.reasoning_summary_text.delta"));
  assert(!client.frames.some(isType("response.incomplete")));
  first.done(thought);
  const cut = await client.seen(ofResponse("response.incomplete", "resp_1"));
  assertEquals((cut.response as JsonObject).output, [thought]);
  const { body } = await upstream.next();
  assertEquals((body.input as JsonObject[]).map(({ type }) => type), [
    ...["message", "reasoning", "message"],
  ]);
});

Deno.test("steer: a tool's call is not cut; input waits for its output, and goes before it", async () => {
  await using place = await scene();
  const { client, upstream } = place;
  client.send({ ...create, input: "Run it" });
  const first = await upstream.next();
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "run" };
  first.begin({ ...call, arguments: "" });
  await client.seen(isType("response.output_item.added"));
  client.send(steer("resp_1"));
  await client.seen(isType("response.steer.accepted"));
  first.grow("response.function_call_arguments.delta", { item_id: "fc_1", delta: "{}" });
  first.done({ ...call, arguments: "{}" });
  first.end();
  const pending = await client.seen(isType("response.steer.pending"));
  assert(client.frames.some(ofResponse("response.completed", "resp_1")));
  assertEquals(pending.reason, "waiting_for_required_input");
  assertEquals(pending.required_input, [{
    type: "function_call_output",
    call_id: "call_1",
    name: "run",
  }]);
  const output = { type: "function_call_output", call_id: "call_1", output: "ok" };
  client.send({ ...create, previous_response_id: "resp_1", input: [output] });
  const { body, end } = await upstream.next();
  const items = body.input as readonly JsonObject[];
  assertEquals(items.slice(-2).map(({ content, output }) => content ?? output), [
    "Skip the tests",
    "ok",
  ]);
  end();
  await client.seen(ofResponse("response.completed", "resp_2"));
});

Deno.test("steer: what cannot be added is given back", async () => {
  await using place = await scene();
  const { client, upstream } = place;
  const failedWith = (code: string) =>
    client.seen((frame) => frame.type === "response.steer.failed" && failure(frame) === code);
  client.send(steer("resp_x"));
  const unknown = await failedWith("response_not_found");
  assertEquals((unknown.steer as JsonObject).input, "Skip the tests");
  client.send({ ...create, input: "one" });
  const first = await upstream.next();
  first.begin(thinking);
  await client.seen(isType("response.output_item.added"));
  client.send(steer("resp_1", [{ role: "system", content: "no" }]));
  await failedWith("invalid_input");
  for (let n = 0; n < 9; n++) client.send(steer("resp_1", `word ${n}`));
  await failedWith("too_many_pending_steers");
  first.fail();
  await failedWith("successor_creation_failed");
  const given = client.frames.filter((frame) =>
    frame.type === "response.steer.failed" && failure(frame) === "successor_creation_failed"
  );
  assertEquals(given.length, 8);
  client.send({ ...create, input: "two" });
  (await upstream.next()).end();
  await client.seen(ofResponse("response.completed", "resp_2"));
  client.send(steer("resp_2"));
  await failedWith("response_already_completed");
  assert(upstream.seen.length === 2);
});

Deno.test("steer: input that waits counts as memory until a response has taken it", async () => {
  await using place = await scene();
  const { client, upstream, bodies } = place;
  const long = "x".repeat(1_000_000);
  client.send({ ...create, input: "one" });
  const first = await upstream.next();
  first.begin(thinking);
  await client.seen(isType("response.output_item.added"));
  for (let n = 0; n < 2; n++) client.send(steer("resp_1", long));
  await client.seen(() => client.frames.filter(isType("response.steer.accepted")).length === 2);
  assert(bodies.bytes > 2 * long.length, `${bodies.bytes}`);
  first.end();
  const second = await upstream.next();
  assert(bodies.bytes > 2 * long.length, `${bodies.bytes}`);
  second.end([{ type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: "{}" }]);
  await client.seen(ofResponse("response.completed", "resp_2"));
  await until(() => bodies.bytes === 0);
  client.send({ ...create, input: "two" });
  const third = await upstream.next();
  await client.seen(ofResponse("response.created", "resp_3"));
  third.begin(thinking);
  await client.seen(() => client.frames.filter(isType("response.output_item.added")).length === 3);
  client.send(steer("resp_3", long));
  await client.seen(() => client.frames.filter(isType("response.steer.accepted")).length === 3);
  third.end([{ type: "function_call", id: "fc_2", call_id: "c2", name: "f", arguments: "{}" }]);
  await client.seen(isType("response.steer.pending"));
  assert(bodies.bytes > long.length, `${bodies.bytes}`);
  client.socket.socket.platformSocket.terminate();
  await until(() => bodies.bytes === 0);
});

function textsOf({ body }: GatedCall): readonly unknown[] {
  return (body.input as readonly JsonObject[]).map(({ content }) =>
    typeof content === "string" ? content : (content as readonly JsonObject[])[0].text
  );
}

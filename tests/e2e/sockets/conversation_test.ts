import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { allRows } from "../../../lib/audit/mod.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import type { reply } from "../../strict/small_model.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { openSocket } from "./session.ts";

/** The vendor's SDK on a socket, in front of a strict upstream of each format. */

const turns = 30;
const tools = [{
  type: "function",
  name: "get_time",
  strict: false,
  parameters: { type: "object", properties: {} },
}] as const;

/** Calls a tool until the history has enough results. */
const clock: typeof reply = ({ answered, tools: [tool] }) =>
  tool && answered < turns
    ? { calls: [{ name: tool.name, args: {} }], hangs: false }
    : { calls: [], text: `I was told ${answered} times.`, hangs: false };

async function started(format: FormatName, model?: typeof reply) {
  const upstream = startStrict(format, model ? { model } : {});
  const gateway = await startGateway(
    oneUpstream({ [format]: upstream.base }, { apiKeys: [strictCredential] }),
  );
  return {
    upstream,
    gateway,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

async function rowsOf({ parts: { store } }: TestGateway) {
  return await Array.fromAsync(allRows(store));
}

for (const format of formatNames) {
  Deno.test(`sockets: ${turns} tool turns of the SDK with store: false, upstream ${format}`, async () => {
    await using pair = await started(format, clock);
    using client = await openSocket(pair.gateway, pair.gateway.key);
    const lane = client.session.lane();
    const common = { model: "m", store: false, tools: [...tools] };
    lane.create({ ...common, input: "What time is it?" });
    let response = await lane.finalResponse();
    for (let turn = 1; turn <= turns; turn++) {
      const [call] = response.output.filter((item) => item.type === "function_call");
      assert(call, `no call in turn ${turn}: ${JSON.stringify(response.output)}`);
      const output = {
        type: "function_call_output",
        call_id: call.call_id,
        output: `12:${turn}`,
      } as const;
      lane.create({ ...common, previous_response_id: response.id, input: [output] });
      const next = await lane.finalResponse();
      assertEquals(next.previous_response_id, response.id);
      response = next;
    }
    assertEquals(response.output_text, `I was told ${turns} times.`);
    const { seen } = pair.upstream;
    assertEquals(seen.flatMap(({ refusals }) => refusals), []);
    assertEquals(seen.length, turns + 1);
    const rows = await rowsOf(pair.gateway);
    assertEquals(rows.length, turns + 1);
    assert(
      rows.every(({ outcome, format, stream }) =>
        outcome === "completed" && format === "responses" && stream
      ),
    );
  });

  Deno.test(`sockets: three lanes at once, upstream ${format}`, async () => {
    await using pair = await started(format);
    using client = await openSocket(pair.gateway, pair.gateway.key);
    const lanes = [undefined, "a", "b.2"].map((name) => client.session.lane(name));
    lanes.forEach((lane, at) => lane.create({ model: "m", input: `lane ${at}` }));
    const responses = await Promise.all(lanes.map((lane) => lane.finalResponse()));
    responses.forEach(({ output_text }, at) => assertStringIncludes(output_text, `lane ${at}`));
    for (const { stream_id } of client.frames) {
      assert([undefined, "a", "b.2"].includes(stream_id as string));
    }
    for (const name of [undefined, "a", "b.2"]) {
      const places = client.frames.filter(({ stream_id }) => stream_id === name)
        .map(({ sequence_number }) => Number(sequence_number));
      assertEquals(places, places.map((_, at) => at), "the events of a lane are in order");
    }
  });
}

Deno.test("sockets: a warm-up is answered at once, costs nothing, and is continued", async () => {
  await using pair = await started("messages");
  using client = await openSocket(pair.gateway, pair.gateway.key);
  const lane = client.session.lane();
  lane.create({ model: "m", input: "Remember the pear", generate: false } as never);
  const warm = await lane.finalResponse();
  assertEquals([warm.status, warm.output, warm.usage?.total_tokens], ["completed", [], 0]);
  assertEquals(pair.upstream.seen.length, 0);
  lane.create({ model: "m", input: "and the plum", previous_response_id: warm.id, store: false });
  await lane.finalResponse();
  const [{ body }] = pair.upstream.seen;
  assertStringIncludes(JSON.stringify(body), "Remember the pear");
  assertEquals((await rowsOf(pair.gateway)).length, 1);
  lane.create({ model: "unknown", input: "x", prompt_cache_options: { prewarm: true } } as never);
  await client.seen(({ type, status }) => type === "error" && status === 404);
});

Deno.test("sockets: responses are forked, continued elsewhere, forgotten, and private", async () => {
  await using pair = await started("chat-completions");
  const { gateway } = pair;
  using client = await openSocket(gateway, gateway.key);
  const a = client.session.lane("a");
  a.create({ model: "m", input: "the parent", store: false });
  const parent = await a.finalResponse();
  const fork = client.session.lane("fork");
  fork.create({ model: "m", input: "fail 400", previous_response_id: parent.id, store: false });
  await client.seen(({ type, stream_id }) => type === "error" && stream_id === "fork");
  const second = client.session.lane("second");
  second.create({ model: "m", input: "the child", previous_response_id: parent.id, store: false });
  const child = await second.finalResponse(); // the parent outlived the failed fork
  assertStringIncludes(JSON.stringify(pair.upstream.seen.at(-1)?.body), "the parent");
  a.create({ model: "m", input: "fail 400", previous_response_id: parent.id, store: false });
  await client.seen(({ type, stream_id }) => type === "error" && stream_id === "a");
  const codeAfter = async (from: typeof client, input: string, previous: string) => {
    from.send({
      type: "response.create",
      model: "m",
      input,
      previous_response_id: previous,
      stream_id: `n${input}`,
    });
    const { status, error } = await from.seen(({ type, stream_id }) =>
      type === "error" && stream_id === `n${input}`
    );
    return [
      status,
      (error as { code: string; param: string }).code,
      (error as { param: string }).param,
    ];
  };
  const notFound = [400, "previous_response_not_found", "previous_response_id"];
  assertEquals(
    await codeAfter(client, "1", parent.id),
    notFound,
    "its own lane's failure made it forgotten",
  );
  using other = await openSocket(gateway, gateway.key);
  assertEquals(await codeAfter(other, "2", child.id), notFound, "another socket remembers nothing");
  const stored = client.session.lane("stored");
  stored.create({ model: "m", input: "kept", previous_response_id: child.id, store: true });
  const kept = await stored.finalResponse();
  other.send({
    type: "response.create",
    model: "m",
    input: "go on",
    previous_response_id: kept.id,
  });
  await other.seen(({ type }) => type === "response.completed");
  const last = JSON.stringify(pair.upstream.seen.at(-1)?.body);
  for (const text of ["the parent", "the child", "kept", "go on"]) assertStringIncludes(last, text);
});

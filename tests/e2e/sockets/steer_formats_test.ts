import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { allRows } from "../../../lib/audit/mod.ts";
import { formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import type { reply } from "../../strict/small_model.ts";
import { oneUpstream, startGateway } from "../gateway.ts";
import { isType, openSocket } from "./session.ts";

/** `response.steer` of the vendor's SDK in front of a strict upstream of each format. */

const story = "Once upon a time there was a parser that nobody had tested. ".repeat(20);

/** Answers with a story and stops within it, until the user has another wish. */
const teller: typeof reply = ({ text }) =>
  text === "Shorter" ? { calls: [], text: "It was tested.", hangs: false } : {
    calls: [],
    text: story,
    hangs: true,
  };

for (const format of formatNames) {
  Deno.test(`steer: a response is cut and continued, and both are charged, upstream ${format}`, async () => {
    await using upstream = startStrict(format, { model: teller });
    await using gateway = await startGateway({
      ...oneUpstream({ [format]: upstream.base }, { apiKeys: [strictCredential] }),
      models: [{ id: "m", price: { input: 1, output: 2 } }],
    });
    using client = await openSocket(gateway, gateway.key);
    const lane = client.session.lane("a");
    lane.create({ model: "m", input: "Tell me a story", store: false });
    await client.seen(isType("response.output_text.delta"));
    const created = await client.seen(isType("response.created"));
    const { id } = created.response as JsonObject;
    client.send({ type: "response.steer", previous_response_id: id, input: "Shorter" });
    const cut = await lane.finalResponse();
    assertEquals([cut.id, cut.status, cut.incomplete_details], [id, "incomplete", {
      reason: "steered",
    } as never]);
    const said = cut.output_text;
    assert(said !== "" && story.startsWith(said) && said !== story, said);
    const successor = await lane.finalResponse();
    assertEquals([successor.status, successor.previous_response_id], ["completed", id as string]);
    assertEquals(successor.output_text, "It was tested.");
    const { seen } = upstream;
    assertEquals(seen.flatMap(({ refusals }) => refusals), []);
    assertStringIncludes(JSON.stringify(seen[1].body), said.slice(0, 40));
    const rows = await Array.fromAsync(allRows(gateway.parts.store));
    assertEquals(rows.map(({ outcome }) => outcome), ["completed", "completed"]);
    for (const { usage, costNanoUsd = 0n } of rows) {
      assert(usage && usage.inputTokens > 0 && usage.outputTokens > 0 && costNanoUsd > 0n);
    }
  });
}

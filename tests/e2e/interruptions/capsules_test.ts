import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { capsuleFrom, next, post } from "../compaction/capsules.ts";
import { rememberingModel } from "../compaction/remembering_model.ts";
import { startServer } from "../server_process.ts";

Deno.test("a capsule survives a restart and a new secret, and without its secret it is refused", () =>
  withTempFolder(async (folder) => {
    await using upstream = startStrict("chat-completions", { model: rememberingModel });
    const config = {
      upstreams: [{
        id: "up",
        endpoints: { "chat-completions": upstream.base },
        apiKeys: [strictCredential],
        models: [{ id: "m", upstreamModel: "gpt-4.1" }],
      }],
      models: [{ id: "m", price: { input: 1, output: 1 } }],
    };
    const first = await startServer(folder, { config });
    const capsule = await capsuleFrom(first);
    await first.stop();
    const restarted = await startServer(folder, { config });
    const opened = await post(restarted, next(capsule));
    assertStringIncludes(JSON.stringify(opened.body), "fact-long-1");
    await restarted.stop();

    const former = (await Deno.readTextFile(`${folder}/secret`)).trim();
    const env = { TESSERA_SECRET: "another-secret", TESSERA_FORMER_SECRETS: `x ${former}` };
    const rotated = await startServer(folder, { config, env });
    assertEquals((await post(rotated, next(capsule))).status, 200);
    const renewed = await capsuleFrom(rotated);
    const idOf = ({ encrypted_content }: JsonObject) => String(encrypted_content).split(".")[1];
    assert(idOf(renewed) !== idOf(capsule), "new capsules are sealed with the new secret");
    await rotated.stop();

    const lost = await startServer(folder, { config, env: { TESSERA_SECRET: "another-secret" } });
    const refused = await post(lost, next(capsule));
    assertEquals([refused.status, refused.body.error.code], [400, "invalid_encrypted_content"]);
    assertEquals((await post(lost, next(renewed))).status, 200);
    await lost.stop();
  }));

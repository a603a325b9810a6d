import { assertEquals, assertStringIncludes } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { createUpstream } from "../../../lib/store/catalog/mod.ts";
import { credentialsOf } from "../../../lib/upstreams/mod.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator } from "../people.ts";
import { addKey } from "../records.ts";
import { sample, withGateway } from "../upstreams/upstream_scene.ts";

testConsole(
  "start model: the same on every page, and never one that is paused",
  async (console) => {
    const { store, directory } = console;
    const { health } = withGateway(console);
    const failing = sample({ id: "failing", models: [{ id: "gpt-5-mini" }] });
    await createUpstream(store, failing);
    await createUpstream(store, sample({ id: "other", models: [{ id: "claude-opus-4-1" }] }));
    await addKey(store, { id: "key_1", name: "ci" });
    await directory.refresh();
    const browser = await console.signedIn(administrator);
    const chosen = async () => {
      const shown = ["/console/connect", "/console/welcome"].map(async (path) => {
        const { html } = await browser.get(path);
        return /"model":"([^"]*)"/.exec(textOf(html).replaceAll("&quot;", '"'))?.[1];
      });
      return await Promise.all(shown);
    };
    assertEquals(new Set(await chosen()), new Set(["gpt-5-mini"]));
    const [credential] = credentialsOf(failing);
    const candidate = {
      upstream: failing,
      upstreamModel: "gpt-5-mini",
      format: "chat-completions",
      credential,
    } as const;
    const error = new GatewayError("upstream_unreachable", "Nobody is there");
    for (let n = 0; n < 5; n++) health.begin(candidate)?.ended(error);
    assertEquals(new Set(await chosen()), new Set(["claude-opus-4-1"]));
    const { html } = await browser.get("/console/playground");
    assertStringIncludes(html, 'value="claude-opus-4-1" selected');
  },
);

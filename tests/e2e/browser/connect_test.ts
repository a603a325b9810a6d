import { assertEquals } from "@std/assert";
import { createUpstream } from "../../../lib/store/catalog/mod.ts";
import { addKey, upstreamRecord } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

signedInTest("the clients are whole in both themes at every width", async (page, served) => {
  await addModels(served);
  await addKey(served.console.store, { name: "prod-api" });
  await addKey(served.console.store, { name: "w".repeat(60) });
  await lookAt(page, served.origin, {
    connect: "/console/connect",
    connect_claude_code: "/console/connect?client=claude-code",
    connect_codex_windows: "/console/connect?client=codex&os=windows",
    connect_waiting: `/console/connect?since=1`,
  });
});

signedInTest("nothing of a client's settings is cut off on a phone", async (page, served) => {
  await addModels(served);
  await page.setViewport({ width: 390, height: 844 });
  await page.goto(`${served.origin}/console/connect`);
  const cut = await page.$eval(".panel", (panel) => {
    const { right } = panel.getBoundingClientRect();
    return [...panel.querySelectorAll(".body > *, .filters > *")]
      .filter((part) => part.getBoundingClientRect().right > right)
      .map((part) => part.className);
  });
  assertEquals(cut, []);
});

async function addModels({ console: { store, directory } }: ServedConsole): Promise<void> {
  await createUpstream(
    store,
    upstreamRecord({
      id: "acme",
      models: [{ id: "acme-large" }, { id: "anthropic/claude-sonnet-4.5-preview-2026-11-01" }],
    }),
  );
  await directory.refresh();
}

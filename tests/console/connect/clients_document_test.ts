import { assertEquals, assertStringIncludes } from "@std/assert";
import { systems } from "../../../lib/console/connect/client.ts";
import {
  type ClientId,
  clientIds,
  clients,
  fileOf,
  settingOf,
} from "../../../lib/console/connect/clients.ts";
import { readOutline, readPage } from "../../../lib/docs/mod.ts";

/** The guides state the same settings as the connect page. */
const document = await textOfGuides();

async function textOfGuides(): Promise<string> {
  const guides = (await readOutline()).filter(({ group }) => group === "Connect clients");
  const slugs = ["start/clients", "start/sdks", ...guides.map(({ slug }) => slug)];
  const pages = await Promise.all(slugs.map((slug) => readPage(slug)));
  return pages.map((page) => page?.source ?? "").join("\n");
}

const setting = { origin: "http://127.0.0.1:8000", model: "MODEL", key: "YOUR_KEY" };

/** Clients whose complete settings the document shows. */
const whole: readonly ClientId[] = ["claude-code", "codex", "opencode", "pi", "aider", "continue"];

for (const id of whole) {
  Deno.test(`clients document: the setting of ${id}`, () => {
    const told = plain(document);
    const lines = settingOf(id, setting).split("\n").map(plain);
    const missing = lines.filter((line) => !line.startsWith("#") && !told.includes(line));
    assertEquals(missing, []);
  });
}

Deno.test("clients document: every client's file on both systems", () => {
  for (const id of clientIds) {
    for (const system of systems) assertStringIncludes(document, fileOf(clients[id], system) ?? "");
  }
});

/** Without blanks and quotes, which differ by taste. */
function plain(text: string): string {
  return text.replace(/[\s'"]/g, "");
}

import { assertEquals, assertStringIncludes } from "@std/assert";
import { addKey } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { signedInTest } from "./usage_pages.ts";

const models = 'nav a[href^="/console/pricing"]';

signedInTest("a page is loaded while the pointer rests on its link", async (page, served) => {
  await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
  await page.hover(models);
  await waitFor(() => purposesOf(served, "/console/pricing").length > 0);
  await page.click(models);
  await page.waitForFunction(() => location.pathname === "/console/pricing");
  assertEquals(await page.$eval("h1", (title) => title.textContent), "Models");
  assertEquals(purposesOf(served, "/console/pricing"), ["prefetch"]);
}, { speculates: true });

signedInTest("a message waits for the page that is shown", async (page, served) => {
  const { id } = await addKey(served.console.store, { name: "ci-nightly" });
  await page.goto(`${served.origin}/console/token`, { waitUntil: "networkidle0" });
  await page.evaluate(disable, id);
  await page.hover(models);
  await waitFor(() => purposesOf(served, "/console/pricing").length > 0);
  assertEquals(purposesOf(served, "/console/pricing")[0], "prefetch");
  await page.goto(`${served.origin}/console/token`);
  const text = await page.$eval("main", (main) => main.textContent ?? "");
  assertStringIncludes(text, "ci-nightly");
  assertStringIncludes(text, "disabled");
}, { speculates: true });

for (const [motion, fades] of [["no-preference", "true"], ["reduce", "false"]] as const) {
  signedInTest(`with motion ${motion}, pages fade: ${fades}`, async (page, served) => {
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: motion }]);
    await page.evaluateOnNewDocument(noteTransition);
    await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
    await page.click(models);
    const shown = await page.waitForFunction(() => sessionStorage.getItem("/console/pricing"));
    assertEquals(await shown.jsonValue(), fades);
  });
}

/** Notes for each page, once it is first drawn, whether a transition from the page before shows it. */
function noteTransition(): void {
  addEventListener("pagereveal", (event) => {
    const { viewTransition } = event as Event & { readonly viewTransition?: unknown };
    sessionStorage.setItem(location.pathname, String(Boolean(viewTransition)));
  });
}

/** Sends the form that disables a key, and stays on the page: its message waits. */
async function disable(id: string): Promise<void> {
  const body = new URLSearchParams({ enabled: "false" });
  await fetch(`/console/token/${id}/enabled`, { method: "POST", body, redirect: "manual" });
}

/** The purposes of the requests for a path, as the server saw them. */
function purposesOf({ requests }: ServedConsole, path: string): (string | null)[] {
  return requests.filter(({ url }) => new URL(url).pathname === path)
    .map(({ headers }) => headers.get("sec-purpose"));
}

async function waitFor(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !isDone(); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

import type { Page } from "puppeteer-core";

/** How many bytes of script a page loads, gzipped. */
export async function scriptBytesOf(page: Page, url: string): Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    sizes.set(response.url(), response.buffer().then(gzippedLength));
  });
  await page.setCacheEnabled(false);
  await page.goto(url, { waitUntil: "networkidle0" });
  page.removeAllListeners("response");
  const all = await Promise.all(sizes.values());
  return all.reduce((sum, size) => sum + size, 0);
}

async function gzippedLength(bytes: Uint8Array): Promise<number> {
  const stream = new Blob([new Uint8Array(bytes)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).bytes()).length;
}

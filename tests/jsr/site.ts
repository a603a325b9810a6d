import { Builder } from "fresh/dev";

/** Asks the site of `tests/jsr/site`, built as for users, and reads the answer. */
export async function ask(path: string, init?: RequestInit): Promise<Answer> {
  const handler = await (serving.handler ??= build());
  const response = await handler(new Request(`http://localhost${path}`, init));
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The folder of the site. */
export const siteRoot = new URL("site", import.meta.url).pathname;

const serving: { handler?: Promise<Handler> } = {};

type Handler = (request: Request) => Promise<Response>;

async function build(): Promise<Handler> {
  await Deno.mkdir(`${siteRoot}/_fresh`, { recursive: true });
  const outDir = await Deno.makeTempDir({ dir: `${siteRoot}/_fresh` });
  globalThis.addEventListener("unload", () => Deno.removeSync(outDir, { recursive: true }));
  await new Builder({ root: siteRoot, serverEntry: "app.ts", outDir }).build();
  const { default: server } = await import(`file://${outDir}/server.js`);
  return server.fetch;
}

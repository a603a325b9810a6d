import { Builder } from "fresh/dev";
import { app } from "./site/app.ts";

/** Asks the site of `tests/jsr/site`, built in memory, and reads the answer. */
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
  const builder = new Builder({ root: siteRoot, serverEntry: "app.ts" });
  const apply = await builder.build({ snapshot: "memory" });
  apply(app);
  return app.handler();
}

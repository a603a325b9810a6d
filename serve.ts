import { demandFreeAddress, run, Siblings } from "./lib/serve.ts";
import { compose } from "./main.ts";

/**
 * The same server with an isolate per core and one store among them, which `deno serve --parallel`
 * starts. Each isolate listens itself, because the runtime's own server would delay streams. Only
 * one isolate receives the start-up notices and prints them.
 */
void run(
  () => compose(undefined, undefined, (config) => demandFreeAddress(config, true)),
  new Siblings(),
);

/** For the runtime's own listener, on a port of the loopback that nobody knows. */
export default {
  fetch: () => new Response(null, { status: 404 }),
  onListen() {},
} satisfies Deno.ServeDefaultExport;

import { baseOf, greet } from "./lib/greet.ts";
import { endWithMessage, finishStart } from "./lib/serve.ts";
import { handlerOfIsolate } from "./lib/serve_parallel.ts";
import { compose } from "./main.ts";

/**
 * The same server for `deno serve --parallel serve.ts`: an isolate per core, one store among them.
 * Only one isolate receives the start-up notices and prints them. It prints the address of the
 * task's flags, because `deno serve` does not report the bound one.
 */
const parts = await compose().catch(endWithMessage);
const { host: hostname, port } = parts.config;
parts.lists.start();
void greet(baseOf({ transport: "tcp", hostname, port }), parts);
finishStart(parts);

export default { fetch: handlerOfIsolate(parts) } satisfies Deno.ServeDefaultExport;

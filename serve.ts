import { endWithMessage, greet, loadConsole } from "./lib/serve.ts";
import { handlerOfIsolate } from "./lib/serve_parallel.ts";
import { compose } from "./main.ts";

/**
 * The same server for `deno serve --parallel serve.ts`: an isolate per core, one store among them.
 * What a start has to tell goes to one isolate only, and that one prints it, with the address of
 * the task's flags: it does not learn the real one.
 */
const parts = await compose().catch(endWithMessage);
parts.lists.start();
if (Object.keys(parts.told).length > 0) {
  void greet({ transport: "tcp", hostname: parts.config.host, port: parts.config.port }, parts);
}
loadConsole(parts);
void parts.runtime.run();

export default { fetch: handlerOfIsolate(parts) } satisfies Deno.ServeDefaultExport;

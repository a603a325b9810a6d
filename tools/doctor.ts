import { runDoctor } from "./doctor/run.ts";
import { stop } from "./task_end.ts";

/**
 * `deno task doctor [BASE_URL] [--json]`: checks Deno, the configuration, the store, its disk, the
 * log's archive, the upstreams, the clock and the address of clients, and shows what to do. Changes nothing. Exits with
 * 1 if a check failed.
 */
const baseUrl = Deno.args.find((argument) => argument !== "--json");
if (Deno.args.some((argument) => /^-/.test(argument) && argument !== "--json")) {
  stop("Usage: deno task doctor [BASE_URL] [--json]");
}
if (!await runDoctor(baseUrl, { json: Deno.args.includes("--json") })) Deno.exit(1);

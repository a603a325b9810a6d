import { adminServices } from "../../../../lib/admin/services.ts";
import { compose } from "../../../../main.ts";
import { consoleHandler } from "../../../console/console.ts";
import { withoutSpeculation } from "../served_console.ts";

/** A whole gateway with its console, on a free port of this machine. */
export interface ServedGateway extends AsyncDisposable {
  readonly origin: string;
  /** Absent once somebody has been set up. */
  readonly setupPath: string | undefined;
  readonly parts: Awaited<ReturnType<typeof compose>>;
}

/** With its store in memory; `config` is what the configuration file would hold. */
export async function serveGateway(
  config: Readonly<Record<string, unknown>> = {},
): Promise<ServedGateway> {
  const file = await Deno.makeTempFile({ suffix: ".jsonc" });
  await Deno.writeTextFile(file, JSON.stringify(config));
  const env = { TESSERA_KV: ":memory:", TESSERA_CONFIG: file, HOST: "127.0.0.1" };
  const parts = await compose(env);
  await Deno.remove(file);
  const answerApi = adminServices()?.answerApi;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request, info) =>
      await answerApi?.(request, info) ?? withoutSpeculation(await consoleHandler(request, info)),
  );
  const token = parts.notices?.setupLink?.token;
  return {
    origin: `http://localhost:${server.addr.port}`,
    setupPath: token && `/setup/${token}`,
    parts,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await parts.close();
    },
  };
}

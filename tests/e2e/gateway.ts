import type { FormatName } from "../../lib/canonical/mod.ts";
import { serveHttp } from "../../lib/http/server.ts";
import {
  reportAcceptFailure as onAcceptFailure,
  reportRefusal as onRefusal,
} from "../../lib/telemetry/mod.ts";
import { compose } from "../../main.ts";

/** A key that every test gateway declares. */
export const testKey = "sk-test-0123456789abcdefghij";

/** A gateway of a test's own, on a free port of the loopback, with its store in memory. */
export interface TestGateway extends AsyncDisposable {
  readonly base: string;
  readonly key: string;
  readonly parts: Awaited<ReturnType<typeof compose>>;
}

/** `settings` is what the configuration file would hold; `seen` gets each request. */
export async function startGateway(
  settings: Record<string, unknown> = {},
  seen: (request: Request) => void = () => {},
): Promise<TestGateway> {
  const file = await Deno.makeTempFile({ suffix: ".jsonc" });
  const keys = [{ name: "test", group: "default", value: testKey }];
  await Deno.writeTextFile(file, JSON.stringify({ keys, ...settings }));
  const parts = await compose({ TESSERA_KV: ":memory:", TESSERA_CONFIG: file });
  await Deno.remove(file);
  const { fetch, thrownResponse: onError, networks, config: { limits } } = parts;
  const hooks = { onError, onAcceptFailure, onRefusal };
  const address = { hostname: "127.0.0.1", port: 0 };
  const server = serveHttp({ ...address, ...hooks, limits, networks }, (request, info) => {
    seen(request);
    return fetch(request, info);
  });
  return {
    base: `http://127.0.0.1:${server.addr.port}`,
    key: testKey,
    parts,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await parts.close();
    },
  };
}

/** The part of a configuration that declares one upstream, which serves the model "m". */
export function oneUpstream(
  endpoints: Partial<Record<FormatName, string>>,
  fields: Record<string, unknown> = {},
) {
  return { upstreams: [{ id: "up", endpoints, apiKeys: ["x"], models: ["m"], ...fields }] };
}

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { openStore, type Store } from "../../lib/store/mod.ts";
import { updateApiKey } from "../../lib/store/api_keys/mod.ts";
import { updateUpstream } from "../../lib/store/catalog/mod.ts";

/**
 * Another isolate of the test's process: opens a store, disables a key in it, renames all models of
 * an upstream, closes it.
 */
export type IsolateOrder =
  | { readonly type: "open"; readonly path: string }
  | { readonly type: "disable-key"; readonly id: string }
  | { readonly type: "rewrite-upstream"; readonly id: string; readonly times: number }
  | { readonly type: "close" };

let store: Store | undefined;

self.onmessage = async ({ data }: MessageEvent<IsolateOrder>) => {
  switch (data.type) {
    case "open":
      store = await openStore({ location: { type: "file", path: data.path } });
      return self.postMessage(store.runId);
    case "disable-key":
      if (store) await updateApiKey(store, data.id, (apiKey) => ({ ...apiKey, enabled: false }));
      return self.postMessage("disabled");
    case "rewrite-upstream":
      for (let time = 1; time <= data.times; time++) await rewrite(data.id, `v${time}`);
      return self.postMessage("rewritten");
    case "close":
      store?.close();
      return self.postMessage("closed");
    default:
      data satisfies never;
  }
};

/** Renames the upstream models of an upstream to `accounts/{by}/…`. */
async function rewrite(id: string, by: string): Promise<void> {
  if (!store) return;
  await updateUpstream(store, id, (upstream) => ({
    ...upstream,
    models: upstream.models.map((model) => ({
      id: model.id.replace(/^[^/]+\/[^/]+/, `accounts/${by}`),
    })),
  }));
}

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { openStore, type Store, updateApiKey } from "../../lib/store/mod.ts";

/** Another isolate of the test's process: opens a store, disables a key in it, closes it. */
export type IsolateOrder =
  | { readonly type: "open"; readonly path: string }
  | { readonly type: "disable-key"; readonly id: string }
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
    case "close":
      store?.close();
      return self.postMessage("closed");
    default:
      data satisfies never;
  }
};

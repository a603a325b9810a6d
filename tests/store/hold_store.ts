/** A process, or an isolate, that holds a store open until it is ended. */
import { openStore } from "../../lib/store/mod.ts";
import { createGroup } from "../../lib/store/catalog/mod.ts";
import { sampleGroup } from "./samples.ts";

if (import.meta.main) {
  const [path = ""] = Deno.args;
  const store = await openStore({ location: { type: "file", path } });
  await createGroup(store, sampleGroup({ id: "from-process" }));
  console.log(`open ${store.runId}`);
  setInterval(() => {}, 1_000);
}

import { sealFormerContents } from "../store/api_keys/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";

/** Seals, beside the calls, what an earlier release stored in clear. A failure is tried again at the next start. */
export function startSealing(
  { store, settings: { retentionMs } }: Pick<ResponsesDeps, "store" | "settings">,
  onFailure: (thrown: unknown) => void,
): { close(): Promise<void> } {
  const abort = new AbortController();
  const sealing = sealFormerContents(store, { retentionMs, signal: abort.signal })
    .catch(onFailure);
  return {
    close: async () => {
      abort.abort();
      await sealing;
    },
  };
}

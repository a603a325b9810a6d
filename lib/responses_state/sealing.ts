import { sealFormerContents } from "../store/api_keys/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";

/**
 * Encrypts plaintext records of an earlier release in the background. The next start retries a
 * failure.
 */
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

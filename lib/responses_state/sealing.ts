import { sealFormerContents } from "../store/api_keys/mod.ts";
import { rewriteFormerValues } from "../store/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";

/**
 * Encrypts plaintext records of an earlier release in the background, then rewrites the values that
 * a lower version of Deno cannot read. The next start retries a failure.
 */
export function startSealing(
  { store, settings: { retentionMs } }: Pick<ResponsesDeps, "store" | "settings">,
  onFailure: (thrown: unknown) => void,
): { close(): Promise<void> } {
  const abort = new AbortController();
  const options = { retentionMs, signal: abort.signal };
  const sealing = sealFormerContents(store, options)
    .then(() => rewriteFormerValues(store, options))
    .catch(onFailure);
  return {
    close: async () => {
      abort.abort();
      await sealing;
    },
  };
}

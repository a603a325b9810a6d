import { shownParts } from "../../../lib/accounts/api_key_secret.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import { defaultGroupId } from "../../../lib/store/catalog/mod.ts";
import { digestOf } from "../../../lib/store/mod.ts";
import { firstAccountId } from "../../../lib/store/users/mod.ts";
import { idFrom } from "../identity.ts";

/** A shorter key can be guessed, such as the `sk-1234` of LiteLLM's examples. */
const charsMin = 20;

/**
 * LiteLLM's master key as a key of the first administrator, so that programs that call with it go on
 * working. It manages nothing here.
 */
export function masterKeyOf(
  secret: string | undefined,
  { nowMs }: { readonly nowMs: number },
): { readonly keys: readonly ApiKey[]; readonly notices: readonly string[] } {
  if (secret === undefined) return { keys: [], notices: [] };
  if (secret.length < charsMin) return { keys: [], notices: [weak] };
  const digest = digestOf(secret);
  const key: ApiKey = {
    id: idFrom("key", "litellm", digest),
    accountId: firstAccountId,
    name: "litellm master key",
    digest,
    ...shownParts(secret),
    groupId: defaultGroupId,
    enabled: true,
    createdAtMs: nowMs,
    origin: "console",
  };
  return { keys: [key], notices: [] };
}

const weak = `master_key is left out: it has fewer than ${charsMin} characters, so it can be ` +
  "guessed. Create a key in the console for the programs that call with it";

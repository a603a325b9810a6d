import { shownParts } from "../../../lib/accounts/secrets.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import { defaultGroupId } from "../../../lib/store/catalog/mod.ts";
import { digestOf } from "../../../lib/store/mod.ts";
import { firstAccountId } from "../../../lib/store/users/mod.ts";
import { idFrom } from "../identity.ts";
import { isFields, type SourceFields, type SourceObject } from "../source_object.ts";
import type { Variables } from "./variables.ts";

/** A shorter key can be guessed, such as the `sk-1234` of LiteLLM's examples. */
const charsMin = 20;
export const masterKeyName = "litellm master key";

/** LiteLLM's master key, which its environment may set alone. */
export function masterKeyIn(
  { general_settings }: SourceFields,
  variables: Variables,
): string | undefined {
  const written = isFields(general_settings) ? general_settings.master_key : undefined;
  return typeof written === "string"
    ? variables.resolve(written).value
    : variables.get("LITELLM_MASTER_KEY");
}

/** Reads the master key as a key of our own; undefined if it is not set or not safe. */
export function readMasterKey(settings: SourceObject, variables: Variables): string | undefined {
  const written = settings.text("master_key");
  if (written === undefined) return undefined;
  const { value } = variables.resolve(written);
  if (value === undefined) return settings.unknown("master_key", "its variable is not set");
  if (value.length < charsMin) return settings.unknown("master_key", guessable);
  settings.changed("master_key", "an API key of the first administrator");
  return value;
}

const guessable = `it has fewer than ${charsMin} characters and can be guessed: create a key for ` +
  "the programs that call with it";

/**
 * LiteLLM's master key as a key of the first administrator, so that programs that call with it go on
 * working. It manages nothing here.
 */
export function masterKeyOf(secret: string | undefined, nowMs: number): readonly ApiKey[] {
  if (secret === undefined) return [];
  const digest = digestOf(secret);
  return [{
    id: idFrom("key", "litellm", digest),
    accountId: firstAccountId,
    name: masterKeyName,
    digest,
    ...shownParts(secret),
    groupId: defaultGroupId,
    enabled: true,
    createdAtMs: nowMs,
    origin: "console",
  }];
}

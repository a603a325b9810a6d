import { z } from "zod";
import { shownSecret } from "../admin/keys/key_status.ts";
import type { ApiKey } from "../store/api_keys/mod.ts";
import { boundsAnswer, boundsView } from "./bounds.ts";
import type { ManagementCall } from "./http/operation.ts";
import { namedObject, optionalTime, timeAnswer, timeText } from "./http/schema.ts";
import { emailsOf } from "./names.ts";

const keyShape = {
  id: z.string(),
  user_id: z.string().describe("The account that owns the key and pays"),
  user_email: z.string().nullable().describe("The address of that account"),
  name: z.string(),
  group: z.string(),
  enabled: z.boolean(),
  secret_hint: z.string().describe("The beginning and the end of the secret"),
  previous_secret_ends_at: timeAnswer.nullable()
    .describe("The end of the grace period of the secret before the last rotation"),
  expires_at: timeAnswer.nullable(),
  models: z.array(z.string()).nullable().describe("Names and patterns; null: all of the group"),
  ip_allow_list: z.array(z.string()).nullable().describe("Null: any address"),
  ...boundsAnswer,
  alert_percents: z.array(z.int()).nullable()
    .describe("The shares of a budget that raise alerts; null: the configuration's"),
  metadata: z.record(z.string(), z.string()),
  origin: z.enum(["console", "config"]).describe("Keys of the configuration are read-only"),
  device: z.boolean()
    .describe("True for a device that signed in with a code: it renews its secret itself"),
  created_at: timeAnswer,
  last_used_at: timeAnswer.nullable(),
};
/** A key in an answer. */
export const keyAnswer = namedObject("Key", keyShape);
/** A key with its secret, which only the answer to its creation or rotation has. */
export const keyWithSecret = namedObject("KeyWithSecret", {
  ...keyShape,
  secret: z.string().describe("Shown only in this answer"),
});

/** A key as an answer has it. */
export async function keyJson(
  apiKey: ApiKey,
  { state: { services: { store } } }: Pick<ManagementCall, "state">,
): Promise<z.input<typeof keyAnswer>> {
  const emails = await emailsOf(store, [apiKey.accountId]);
  return {
    id: apiKey.id,
    user_id: apiKey.accountId,
    user_email: emails.get(apiKey.accountId) ?? null,
    name: apiKey.name,
    group: apiKey.groupId,
    enabled: apiKey.enabled,
    secret_hint: shownSecret(apiKey),
    previous_secret_ends_at: optionalTime(apiKey.previous?.expiresAtMs),
    expires_at: optionalTime(apiKey.expiresAtMs),
    models: apiKey.models ? [...apiKey.models] : null,
    ip_allow_list: apiKey.ipAllowList ? [...apiKey.ipAllowList] : null,
    ...boundsView(apiKey),
    alert_percents: apiKey.alertPercents ? [...apiKey.alertPercents] : null,
    metadata: { ...apiKey.metadata },
    origin: apiKey.origin,
    device: apiKey.device !== undefined,
    created_at: timeText(apiKey.createdAtMs),
    last_used_at: optionalTime(apiKey.lastUsedAtMs),
  };
}

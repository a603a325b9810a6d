import { z } from "zod";
import { hasHidden } from "../canonical/mod.ts";
import { webhookUrlFault } from "../config.ts";
import { digestOf, newId } from "../store/mod.ts";
import { type WebhookEndpoint, webhookFormats } from "../store/webhooks/mod.ts";
import { AddressError, type AddressRule, assertWrittenAddress } from "../upstreams/mod.ts";
import { eventTypeNames } from "./event_types.ts";

const urlCharsMax = 2_000;
const descriptionCharsMax = 200;
const secretBytes = 32;
/** The time for which a replaced secret goes on signing. */
const overlapMs = 24 * 3_600_000;

/** The settings of an endpoint, the same for the console and the API. */
export const endpointSettings = z.strictObject({
  url: z.string().trim().max(urlCharsMax).superRefine((text, context) => {
    const message = webhookUrlFault(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  }).describe("The address that receives the events"),
  types: z.array(z.enum(["*", ...eventTypeNames])).min(1).max(eventTypeNames.length + 1)
    .describe("The types of events to send; `*` means all, including those of later releases"),
  format: z.enum(webhookFormats).optional().describe(
    "`event`: the signed event; else a message for the incoming webhook of that chat",
  ),
  description: z.string().trim().max(descriptionCharsMax)
    .refine((text) => !hasHidden(text), "has invisible characters").default("")
    .describe("A note for administrators"),
});
export type EndpointSettings = z.infer<typeof endpointSettings>;

/** Creates an endpoint with a random secret. */
export function newEndpoint(settings: EndpointSettings, nowMs: number): WebhookEndpoint {
  return {
    id: newId("whe"),
    ...withSortedTypes(settings),
    secret: newSecret(),
    enabled: true,
    createdAtMs: nowMs,
  };
}

/** Returns the endpoint with other settings. */
export function changedEndpoint(
  endpoint: WebhookEndpoint,
  settings: Partial<EndpointSettings>,
): WebhookEndpoint {
  return { ...endpoint, ...withSortedTypes({ ...endpoint, ...settings }) };
}

/** Returns the endpoint enabled or disabled by an administrator, with its failures forgotten. */
export function switchedEndpoint(endpoint: WebhookEndpoint, enabled: boolean): WebhookEndpoint {
  const { disabledBecause: _, failingSinceMs: __, ...rest } = endpoint;
  return { ...rest, enabled };
}

/** Returns the endpoint with a new secret. The former one also signs for a day. */
export function rotatedEndpoint(endpoint: WebhookEndpoint, nowMs: number): WebhookEndpoint {
  const { secret, secretFault: _, ...rest } = endpoint;
  const previous = secret === "" ? undefined : { secret, expiresAtMs: nowMs + overlapMs };
  return { ...rest, secret: newSecret(), ...(previous && { previous }) };
}

/**
 * Returns true if the address may be called, as far as it shows without resolving its name; each
 * delivery checks the rest.
 */
export function isAllowedAddress(url: string, rule: AddressRule): boolean {
  try {
    assertWrittenAddress(new URL(url), rule);
    return true;
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
}

/** The settings of an endpoint for the audit log, without its secret. */
export function endpointWords(
  { url, types, format = "event", description, enabled }: WebhookEndpoint,
): Readonly<Record<string, string | undefined>> {
  return {
    // Path and query may let anybody post there: a change is recognized by the digest.
    url: `${maskedUrl(url)} (${digestOf(url).slice(0, 8)})`,
    format: format === "event" ? undefined : format,
    types: types.join(", "),
    description: description || undefined,
    enabled: enabled ? undefined : "false",
  };
}

/** An address without what may let anybody post there, for readers who may not change it. */
export function maskedUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

/** The address without the token that its query, or the path of a chat's webhook, may be. */
export function shownAddress(
  { url, format = "event" }: Pick<WebhookEndpoint, "url" | "format">,
): string {
  return format === "event" ? url.replace(/\?.*$/, "?…") : maskedUrl(url);
}

/** The name of an endpoint in the audit log: its host. */
export function webhookName({ url }: Pick<WebhookEndpoint, "url">): string {
  return new URL(url).host;
}

/** `*` includes every other type. */
function withSortedTypes<Settings extends { readonly types: readonly string[] }>(
  settings: Settings,
): Settings {
  const { types } = settings;
  const known: readonly string[] = eventTypeNames;
  return {
    ...settings,
    types: types.includes("*") ? ["*"] : known.filter((type) => types.includes(type)),
  };
}

function newSecret(): string {
  return `whsec_${crypto.getRandomValues(new Uint8Array(secretBytes)).toBase64()}`;
}

import type { WebhookEndpoint } from "../../store/webhooks/mod.ts";
import type { AddressRule } from "../../upstreams/mod.ts";
import {
  type EndpointSettings,
  endpointSettings,
  eventTypeNames,
  isAllowedAddress,
} from "../../webhooks/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

export { eventTypeNames };

export interface WebhookValues {
  readonly url: string;
  readonly description: string;
  /** `*` for all. */
  readonly types: readonly string[];
}

export type WebhookFaults = Readonly<Partial<Record<keyof WebhookValues, string>>>;

export function readWebhookForm(form: URLSearchParams): WebhookValues {
  return {
    url: (form.get("url") ?? "").trim(),
    description: (form.get("description") ?? "").trim(),
    types: form.getAll("types"),
  };
}

export function webhookValues(endpoint?: WebhookEndpoint): WebhookValues {
  const { url = "", description = "", types = [] } = endpoint ?? {};
  return { url, description, types };
}

type WebhookFormResult =
  | { readonly type: "valid"; readonly settings: EndpointSettings }
  | { readonly type: "invalid"; readonly faults: WebhookFaults };

/** Checks the form as the API checks a body, and says what is wrong in the reader's words. */
export function webhookSettings(
  values: WebhookValues,
  rule: AddressRule,
  { fault }: Catalog["webhooks"],
): WebhookFormResult {
  const parsed = endpointSettings.safeParse(values);
  if (parsed.success) {
    return isAllowedAddress(parsed.data.url, rule)
      ? { type: "valid", settings: parsed.data }
      : { type: "invalid", faults: { url: fault.address } };
  }
  const fields = new Set(parsed.error.issues.map(({ path }) => path[0]));
  const faults = {
    ...(fields.has("url") && { url: fault.url }),
    ...(fields.has("types") && { types: fault.types }),
    ...(fields.has("description") && { description: fault.description }),
  };
  return { type: "invalid", faults };
}

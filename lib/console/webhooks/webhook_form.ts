import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import type { WebhookEndpoint } from "../../store/webhooks/mod.ts";
import type { AddressRule } from "../../upstreams/mod.ts";
import {
  type EndpointSettings,
  endpointSettings,
  eventTypeNames,
  isAllowedAddress,
} from "../../webhooks/mod.ts";

export { eventTypeNames };

export interface WebhookValues {
  readonly url: string;
  readonly format: string;
  readonly description: string;
  /** `*` for all. */
  readonly types: readonly string[];
}

export type WebhookFaults = FormFaults<keyof WebhookValues, FaultCode<"webhook">>;

export function readWebhookForm(form: URLSearchParams): WebhookValues {
  return {
    url: (form.get("url") ?? "").trim(),
    format: form.get("format") ?? "event",
    description: (form.get("description") ?? "").trim(),
    types: form.getAll("types"),
  };
}

export function webhookValues(endpoint?: WebhookEndpoint): WebhookValues {
  const { url = "", format = "event", description = "", types = [] } = endpoint ?? {};
  return { url, format, description, types };
}

type WebhookFormResult =
  | { readonly type: "valid"; readonly settings: EndpointSettings }
  | { readonly type: "invalid"; readonly faults: WebhookFaults };

/** Checks the form as the API checks a body. */
export function webhookSettings(values: WebhookValues, rule: AddressRule): WebhookFormResult {
  const parsed = endpointSettings.safeParse(values);
  if (parsed.success) {
    return isAllowedAddress(parsed.data.url, rule)
      ? { type: "valid", settings: parsed.data }
      : { type: "invalid", faults: { url: "address" } };
  }
  const fields = new Set(parsed.error.issues.map(({ path }) => path[0]));
  const names = (["url", "types", "format", "description"] as const).filter((name) =>
    fields.has(name)
  );
  return { type: "invalid", faults: Object.fromEntries(names.map((name) => [name, name])) };
}

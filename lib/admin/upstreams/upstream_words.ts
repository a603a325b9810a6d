import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import { modelLine } from "./upstream_form.ts";
import { cachingOff, timeoutFields } from "./upstream_wire_form.ts";

/** The fields of an upstream for the audit log; of credentials, only their number. */
export function auditedUpstream(upstream: UpstreamRecord): Record<string, string | undefined> {
  const { preset, endpoints, credentials, models, groups, priority, weight } = upstream;
  const { auth, messagesVersion, automaticCaching, timeouts } = upstream;
  const addresses = Object.entries(endpoints).map(([format, url]) => `${format} ${url}`);
  return {
    preset,
    endpoints: addresses.join(", "),
    credentials: String(credentials.length),
    models: models.map(modelLine).join(", "),
    groups: groups.join(", "),
    priority: String(priority),
    weight: String(weight),
    header: auth && `${auth.header}: ${auth.prefix ?? ""}`.trimEnd(),
    messagesVersion,
    automaticCaching: automaticCaching === false ? cachingOff : undefined,
    timeouts: timeoutFields.map((name) => `${timeouts[name] / 1_000} s`).join(", "),
  };
}

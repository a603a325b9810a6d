import { assert } from "@std/assert";
import { adminServices, provideAdmin, type UpstreamServices } from "../../../lib/admin/services.ts";
import { loadConfig } from "../../../lib/config.ts";
import { Health } from "../../../lib/routing/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { createSend } from "../../../lib/upstreams/mod.ts";
import type { TestConsole } from "../console.ts";

export const list = "/console/admin/upstreams";
export const secret = "up-secret-of-the-vendor";
export const form = {
  id: "vendor",
  preset: "",
  baseUrl: "",
  "chat-completions": "https://203.0.114.9/v1",
  credentials: secret,
  models: "gpt-5\nfast = gpt-5-mini",
  groups: "*",
  priority: "0",
  weight: "1",
};

/** An upstream of the console. */
export function sample(parts: Partial<UpstreamRecord> = {}): UpstreamRecord {
  return {
    id: "vendor",
    endpoints: { "chat-completions": "https://203.0.114.9/v1" },
    credentials: [secret],
    models: [{ id: "gpt-5" }],
    priority: 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
    ...parts,
  };
}

/** Gives the console what a gateway would. Loopback is as private as any address unless it is allowed. */
export function withGateway({ clock }: TestConsole, allowsLoopback = false): UpstreamServices & {
  readonly health: Health;
} {
  const addresses = { allowsPrivate: false, allowsLoopback };
  const health = new Health(loadConfig({}).limits, () => clock.nowMs);
  const upstreams = {
    health,
    send: createSend({ dialFirst: true, addresses }),
    addresses,
  };
  const services = adminServices();
  assert(services);
  provideAdmin({ ...services, upstreams });
  return upstreams;
}

/** The latest entries of the audit log. */
export async function entries(store: Store) {
  return (await listAuditEntries(store, { limit: 20 })).entries;
}

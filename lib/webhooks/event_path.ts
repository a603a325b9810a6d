import { z } from "zod";
import { limitOwners, ownerPath } from "../canonical/mod.ts";

const ref = z.object({ id: z.string() });
const subject = z.object({
  key: ref,
  owner: ref.extend({ type: z.string() }),
  callId: z.string(),
  upstreamId: z.string(),
  model: z.string(),
}).partial();

/** The console's page about an event, without an origin; undefined for one without a subject. */
export function eventPath(type: string, data: object): string | undefined {
  if (type === "report.weekly") return "/console";
  if (type === "test") return "/console/admin/webhooks";
  const parsed = subject.safeParse(data);
  if (!parsed.success) return undefined;
  const { key, owner, callId, upstreamId, model } = parsed.data;
  const part = encodeURIComponent;
  if (callId !== undefined) return `/console/log/${part(callId)}`;
  if (upstreamId !== undefined) return `/console/admin/upstreams/${part(upstreamId)}`;
  if (type === "model.retiring" && model !== undefined) {
    return `/console/pricing/model?name=${part(model)}`;
  }
  if (key !== undefined && type !== "key.deleted") return `/console/token/${part(key.id)}`;
  const kind = limitOwners.find((one) => one === owner?.type);
  return owner && kind && ownerPath(kind, owner.id);
}

import { issueApiKey, type IssuedApiKey } from "../../accounts/mod.ts";
import { auditEntry } from "../../admin/audit.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { unlessTaken } from "../../store/mod.ts";
import { groupsOf } from "../groups/account_groups.ts";
import type { PageAuditContext } from "../session/state.ts";

const attemptsMax = 20;

/**
 * Returns the key of the first steps with its secret; undefined if the account has a usable key
 * that is no device's.
 */
export async function ensureFirstKey(ctx: PageAuditContext): Promise<IssuedApiKey | undefined> {
  const { services: { store }, account: { user } } = ctx.state;
  const keys = await listApiKeys(store, { accountId: user.id });
  const isUsable = ({ enabled, device }: ApiKey) => enabled && !device;
  return keys.some(isUsable) ? undefined : await createFirstKey(ctx);
}

/** Creates the key of the first steps under a free name. */
export async function createFirstKey(ctx: PageAuditContext): Promise<IssuedApiKey> {
  const { services: { store, directory }, account: { user }, catalog: { welcome } } = ctx.state;
  const keys = await listApiKeys(store, { accountId: user.id });
  const [group] = groupsOf(user, keys, directory);
  const taken = new Set(keys.map(({ name }) => name));
  const names = Array.from(
    { length: attemptsMax },
    (_, at) => at === 0 ? welcome.keyName : `${welcome.keyName}-${at + 1}`,
  );
  const name = names.find((one) => !taken.has(one)) ??
    `${welcome.keyName}-${crypto.randomUUID().slice(0, 8)}`;
  const draft = { accountId: user.id, name, groupId: group?.id ?? "default", enabled: true };
  const { nowMs } = ctx.state;
  const issued = await unlessTaken(issueApiKey(store, draft, { nowMs, audit: entryOf(ctx) }));
  return issued === "taken" ? await createFirstKey(ctx) : issued;
}

function entryOf(ctx: PageAuditContext) {
  return ({ id, name }: ApiKey) =>
    auditEntry(ctx, { kind: "key", action: "created", targetId: id, targetName: name });
}

import { BlockList, isIPv6 } from "node:net";
import { type FormatName, GatewayError } from "../canonical/mod.ts";
import type { ApiKey, DenialReason } from "../store/api_keys/mod.ts";
import type { Group } from "../store/catalog/mod.ts";
import type { CallTag, FormerUse, KnownKey } from "../store/directory/mod.ts";
import type { CallSession } from "../store/log/mod.ts";
import { digestOf } from "../store/mod.ts";
import type { Bounds } from "../store/money/mod.ts";
import type { Project } from "../store/projects/mod.ts";
import type { Account } from "../store/users/mod.ts";

/** The caller of a request, and everyone whose limits bind the call. */
export interface Caller {
  readonly key: ApiKey & Pick<KnownKey, "recordUntilMs">;
  readonly group: Group;
  /** The account that pays. */
  readonly account: Account;
  /** The account's project; absent for a project of one. */
  readonly project?: Project;
  /** The limits of all calls together; absent if there are none. */
  readonly organization?: Bounds;
  /** The child key that the call carries; absent if it carries the API key itself. */
  readonly child?: ChildKey;
  /** The tags of this call; absent if it has none. */
  readonly tags?: readonly CallTag[];
  /** The session of this call; absent if its client names none. */
  readonly session?: CallSession;
  /** The most that the session may spend, if this call states it. */
  readonly sessionNanoUsd?: bigint;
}

/** A child of an API key: a token that a holder of the key's secret signed without the gateway. */
export interface ChildKey {
  /** The claim `sub`; names the child in its session. */
  readonly name: string;
  /** In epoch milliseconds. */
  readonly endsAtMs: number;
  /** The session that its calls belong to; absent: one of the child's own, with its name. */
  readonly sessionId?: string;
  /** The most that all calls with this token may cost together; absent: the key's budgets alone. */
  readonly nanoUsd?: bigint;
  /** Patterns; absent means all models of the key. */
  readonly models?: readonly string[];
}

/** Finds keys and groups, from memory once they are loaded. */
export interface KeyDirectory {
  findKey(secret: string): Promise<KnownKey | undefined>;
  group(id: string): Group | undefined;
  project(id: string): Project | undefined;
  /** The limits of all calls together; undefined if there are none. */
  organization(): Bounds | undefined;
  /** Notes that a key was used; never waits. */
  touchKey(id: string, atMs: number, former?: FormerUse): void;
  /** Notes that a key's call was refused, and the reason; never waits. */
  noteDenied(id: string, reason: DenialReason, from: { ip: string; atMs: number }): void;
}

/** The address and time of a key's use. */
export interface From {
  readonly ip: string;
  readonly nowMs: number;
}

/**
 * Returns the caller for a secret. Throws `invalid_api_key` or `ip_not_allowed`. Notes the refusal
 * of a known key for its owner, because such a call has no row in the log.
 */
export async function authorize(
  secret: string | undefined,
  from: From,
  directory: KeyDirectory,
): Promise<Caller> {
  if (!secret) {
    throw new GatewayError(
      "invalid_api_key",
      "No API key. Send it as Authorization: Bearer, x-api-key, x-goog-api-key, x-alt-api-key or ?key=",
    );
  }
  const key = await directory.findKey(secret);
  if (key) return callerOf(key, { ...from, secret }, directory);
  throw new GatewayError(
    "invalid_api_key",
    "Invalid API key. Create one at /console/token",
  );
}

/** The same for a known key. */
export function callerOf(
  key: KnownKey,
  from: From & { readonly secret: string },
  directory: Omit<KeyDirectory, "findKey">,
): Caller {
  const judged = judge(key, from, directory);
  if ("reason" in judged) {
    directory.noteDenied(key.id, judged.reason, { ip: from.ip, atMs: from.nowMs });
    throw judged.error;
  }
  directory.touchKey(key.id, from.nowMs, key.previous && formerUse(key.previous, from));
  return judged;
}

/** Notes a call with a secret that a rotation replaced, so that its owner can find the client. */
function formerUse(
  { digest }: NonNullable<KnownKey["previous"]>,
  { secret, ip }: From & { readonly secret: string },
): FormerUse | undefined {
  return digestOf(secret) === digest ? { digest, ip } : undefined;
}

/** The groups, projects and limits of keys, from memory. */
type Owners = Pick<KeyDirectory, "group" | "project" | "organization">;

/** Returns the caller of a known key. Throws like `authorize` if the key may not be used. */
function admit(
  key: KnownKey,
  from: From,
  directory: Owners,
): Caller {
  const judged = judge(key, from, directory);
  if ("reason" in judged) throw judged.error;
  return judged;
}

interface Denied {
  readonly reason: DenialReason;
  readonly error: GatewayError;
}

function judge(key: KnownKey, from: From, directory: Owners): Caller | Denied {
  const { account } = key;
  const project = account.projectId === undefined
    ? undefined
    : directory.project(account.projectId);
  const denied = unusable(key, from.nowMs) ?? misplaced(key, from.ip) ?? outside(account, project);
  if (denied) return denied;
  const group = directory.group(key.groupId);
  if (group) return { key, group, account, project, organization: directory.organization() };
  const message = "The API key has no group. Choose one at /console/token";
  return { reason: "group", error: new GatewayError("invalid_api_key", message) };
}

/** Refuses a member of an archived project: without its project, its limits would be gone. */
function outside({ projectId }: Account, project: Project | undefined): Denied | undefined {
  if (projectId === undefined || (project && project.archivedAtMs === undefined)) return undefined;
  const message = `The project ${projectId} of the API key is archived. ` +
    "Ask an administrator to restore it, or to move the account to another project";
  const refuser = { owner: "project", id: projectId } as const;
  return { reason: "project", error: new GatewayError("invalid_api_key", message, { refuser }) };
}

function unusable(
  { enabled, expiresAtMs, device }: ApiKey,
  nowMs: number,
): Denied | undefined {
  if (!enabled) {
    const message = "The API key or its account is disabled. Enable the key at /console/token, " +
      "or ask an administrator";
    return { reason: "disabled", error: new GatewayError("invalid_api_key", message) };
  }
  if (device && device.accessEndsAtMs <= nowMs) {
    const message = "The access token expired. Refresh it, or sign in again";
    return { reason: "expired", error: new GatewayError("invalid_api_key", message) };
  }
  if (expiresAtMs === undefined || expiresAtMs > nowMs) return undefined;
  const expired = new Date(expiresAtMs).toISOString();
  const message = `The API key expired at ${expired}. Renew it or create another at /console/token`;
  return { reason: "expired", error: new GatewayError("invalid_api_key", message) };
}

function misplaced({ id, ipAllowList }: ApiKey, ip: string): Denied | undefined {
  if (!ipAllowList || admits(ipAllowList, ip)) return undefined;
  const message =
    "The API key does not allow this IP address. Change its allowed addresses at /console/token";
  const refuser = { owner: "key", id } as const;
  return { reason: "address", error: new GatewayError("ip_not_allowed", message, { refuser }) };
}

/** Returns true if an address is one of a list, or in one of its blocks. */
export function admits(allowList: readonly string[], ip: string): boolean {
  const list = new BlockList();
  for (const entry of allowList) {
    const [address, bits] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const plain = ip.replace(/^::ffff:(?=\d+\.)/, ""); // an IPv4 caller on a dual-stack socket
  return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

/** Throws `format_not_allowed` if the group does not allow the format. */
export function assertFormat({ group }: Pick<Caller, "group">, format: FormatName): void {
  if (mayUseFormat(group, format)) return;
  throw new GatewayError(
    "format_not_allowed",
    `The key's group may not use the ${format} format. Allowed: ${group.formats.join(", ")}`,
    { refuser: { owner: "group", id: group.id } },
  );
}

/** Returns true if a group allows a format. */
export function mayUseFormat({ formats }: Pick<Group, "formats">, format: FormatName): boolean {
  return formats.includes("*") || formats.includes(format);
}

/**
 * The payer of a call that the console makes for a signed-in user: one of the account's API keys,
 * or the account itself in one of its groups. The console checks the permission.
 */
export type Payer =
  | { readonly type: "key"; readonly keyId: string }
  | { readonly type: "playground"; readonly accountId: string; readonly groupId: string };

/** Finds payers. */
export interface PayerDirectory extends KeyDirectory {
  /** Finds a key by its id, for callers that may use it without its secret. */
  keyById(id: string): Promise<KnownKey | undefined>;
  /** Adds the paying account to a key. */
  withAccount(apiKey: ApiKey): Promise<KnownKey>;
}

/** The key name that the log shows for an account's calls in the console. */
export const playgroundKeyName = "Playground";

/**
 * Returns the key id of an account's calls in the playground. There is no record of this key: the
 * calls need no secret, and only the limits of the account and the group apply.
 */
export function playgroundKeyId(accountId: string): string {
  return `playground_${accountId}`;
}

/** Returns the caller for a payer. Throws like `authorize` if the key may not be used. */
export async function authorizePayer(
  payer: Payer,
  from: From,
  directory: PayerDirectory,
): Promise<Caller> {
  if (payer.type === "playground") {
    const caller = admit(await directory.withAccount(playgroundKey(payer)), from, directory);
    directory.touchKey(payer.accountId, from.nowMs);
    return caller;
  }
  const key = await directory.keyById(payer.keyId);
  if (!key) throw new GatewayError("invalid_api_key", "The API key was deleted");
  const caller = admit(key, from, directory);
  directory.touchKey(key.id, from.nowMs);
  return caller;
}

function playgroundKey(
  { accountId, groupId }: Extract<Payer, { readonly type: "playground" }>,
): ApiKey {
  return {
    id: playgroundKeyId(accountId),
    accountId,
    groupId,
    name: playgroundKeyName,
    digest: "",
    prefix: "",
    lastFour: "",
    enabled: true,
    createdAtMs: 0,
    origin: "console",
  };
}

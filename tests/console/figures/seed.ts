import { playgroundKeyId, playgroundKeyName } from "../../../lib/accounts/mod.ts";
import { createApiKey, deleteApiKey, noteApiKeyUse } from "../../../lib/store/api_keys/mod.ts";
import { createGroup, createModel, createUpstream } from "../../../lib/store/catalog/mod.ts";
import { packRow, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { addSpent } from "../../../lib/store/money/allowance.ts";
import { walletId } from "../../../lib/store/money/mod.ts";
import { addTagValues, createProject, tagOfText } from "../../../lib/store/projects/mod.ts";
import { addWaitingRows, chargeDay, compactRows } from "../../../lib/store/settling/mod.ts";
import { addCharge } from "../../../lib/store/settling/settlement.ts";
import { createUser, type User } from "../../../lib/store/users/mod.ts";
import { newApiKey } from "../../../lib/accounts/mod.ts";
import { administrator, nowMs, user } from "../people.ts";
import { sampleProject } from "../../store/samples.ts";
import { upstreamRecord } from "../records.ts";
import { groupIds, modelNames, rowsOf, tagTexts, upstreamIds } from "./calls.ts";
import type { TeamKey, TeamSize } from "./size.ts";

/** The people, keys and calls of a seeded installation. */
export interface Team {
  readonly users: readonly User[];
  /** One of them was deleted after its calls; each account also calls from the playground. */
  readonly keys: readonly TeamKey[];
  readonly projectIds: readonly string[];
  /** Oldest first. */
  readonly rows: readonly RequestLogRow[];
}

const rowsPerCommit = 100;
const dayMs = 86_400_000;

/** A team of this size, the same in every run. The first user is the administrator. */
export function teamOf(size: TeamSize): Team {
  const projectIds = Array.from({ length: size.projects }, (_, n) => `project-${n}`);
  const users = Array.from({ length: size.users }, (_, n) => userOf(n, projectIds));
  const owned = Array.from({ length: size.keys }, (_, n): TeamKey => ({
    id: `key_${String(n).padStart(4, "0")}`,
    name: `key ${n}`,
    groupId: groupIds[n % groupIds.length],
    owner: users[n % (users.length - 1)], // the last user has no key
  }));
  const played = users.filter((_, n) => n % 4 === 3).map((owner): TeamKey => ({
    id: playgroundKeyId(owner.id),
    name: playgroundKeyName,
    groupId: groupIds[0],
    owner,
  }));
  const keys = [...owned, ...played];
  return { users, keys, projectIds, rows: rowsOf(keys, size) };
}

/** Every eighth user has no project. */
function userOf(number: number, projectIds: readonly string[]): User {
  if (number === 0) return administrator;
  return user({
    id: `usr_${String(number).padStart(4, "0")}`,
    email: `user.${number}@example.com`,
    role: "member",
    createdAtMs: nowMs - (100 * dayMs - number * 1_000),
    spending: number % 3 === 0 ? "prepaid" : "unlimited",
    ...(number % 8 !== 0 && { projectId: projectIds[number % projectIds.length] }),
  });
}

/** Stores a team as the product does: its calls as settlements leave them, compacted by the log. */
export async function seedTeam(store: Store, { users, keys, projectIds, rows }: Team) {
  await createGroup(store, {
    ...{ id: groupIds[2], models: ["*"], formats: ["*"], priceRatio: 1, origin: "console" },
  });
  const models = modelNames.map((id) => ({ id }));
  for (const id of upstreamIds) await createUpstream(store, upstreamRecord({ id, models }));
  for (const id of modelNames) {
    const price = { input: 3, output: 15 };
    await createModel(store, { id, price, createdAtMs: nowMs, origin: "console" });
  }
  for (const id of projectIds) await createProject(store, sampleProject({ id }));
  for (const one of users.slice(1)) await createUser(store, one);
  for (const key of keys) if (key.name !== playgroundKeyName) await addKey(store, key);
  await addTagValues(store, tagTexts.map(tagOfText));
  await addCalls(store, rows);
  for (const key of keys) if (!isKept(key)) await deleteApiKey(store, key.id);
}

/** False for keys of playgrounds, and for one that was deleted. */
export function isKept({ name }: TeamKey): boolean {
  return name !== playgroundKeyName && name !== "key 7";
}

async function addKey(store: Store, { id, name, groupId, owner }: TeamKey): Promise<void> {
  const draft = { accountId: owner.id, name, groupId, enabled: true };
  const { apiKey } = newApiKey(draft, nowMs - 90 * dayMs);
  await createApiKey(store, { ...apiKey, id });
}

async function addCalls(store: Store, rows: readonly RequestLogRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerCommit) {
    const some = rows.slice(start, start + rowsPerCommit);
    const operation = store.kv.atomic();
    const place = { isolateId: "team", sequence: String(start).padStart(9, "0") };
    addWaitingRows(operation, place, some.map(packRow));
    for (const row of some) {
      const { accountId, keyId, atMs, costNanoUsd: nanoUsd = 0n, upstreamCost } = row;
      const upstreamNanoUsd = upstreamCost?.nanoUsd ?? 0n;
      addCharge(operation, { accountId, keyId, day: chargeDay(atMs), nanoUsd, upstreamNanoUsd });
      if (nanoUsd > 0n) addSpent(operation, walletId(accountId), nanoUsd);
    }
    if (!(await operation.commit()).ok) throw new Error("calls were not stored");
    if (start % 5_000 === 0) await compactRows(store);
  }
  await compactRows(store);
  const usedId = ({ keyId, keyName, accountId }: RequestLogRow) =>
    keyName === playgroundKeyName ? accountId : keyId;
  await noteApiKeyUse(store, new Map(rows.map((row) => [usedId(row), row.atMs])));
}

import { assert } from "@std/assert";
import { issueInvitation, startSession } from "../../../lib/accounts/mod.ts";
import { createBatch } from "../../../lib/funds/mod.ts";
import { createApiKey, noteApiKeyUse } from "../../../lib/store/api_keys/mod.ts";
import {
  createGroup,
  createModel,
  createUpstream,
  type UpstreamRecord,
} from "../../../lib/store/catalog/mod.ts";
import { packRow } from "../../../lib/store/log/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { addSpent } from "../../../lib/store/money/allowance.ts";
import { postEntry, walletId } from "../../../lib/store/money/mod.ts";
import {
  addTagValues,
  createProject,
  tagOfText,
  updateOrganization,
  updateTagBudget,
} from "../../../lib/store/projects/mod.ts";
import { addWaitingRows, chargeDay, compactRows } from "../../../lib/store/settling/mod.ts";
import { addCharge } from "../../../lib/store/settling/settlement.ts";
import { createUser, getUser, updateUser, type User } from "../../../lib/store/users/mod.ts";
import { createEndpoint } from "../../../lib/store/webhooks/mod.ts";
import { newEndpoint } from "../../../lib/webhooks/mod.ts";
import { administrator, nowMs } from "../people.ts";
import { teamCalls, teamTags } from "./calls.ts";
import { teamKeys } from "./keys.ts";
import { modelsOf, teamModels, upstreamIds } from "./models.ts";
import { archivedProjectId, longEmail, projectIds, teamUsers } from "./people.ts";
import { allowanceOf, boundsOf, spendingOf, spentByAccount } from "./spending.ts";

const dayMs = 86_400_000;
const usd = 1_000_000_000n;
const rowsPerCommit = 100;

/** The accounts of the team whose keys, calls and spending are added. */
type IsAdded = (accountId: string) => boolean;

/**
 * Fills a store with an installation of real size: 51 accounts, 116 keys and 2,000 calls of 30 days,
 * or with the keys and calls of some of these accounts. Accounts and groups that exist already stay.
 */
export async function addTeam(store: Store, isAdded: IsAdded = () => true): Promise<void> {
  await addCatalog(store);
  await addProjects(store);
  for (const user of teamUsers.filter(({ id }) => isAdded(id))) await addAccount(store, user);
  const spending = spendingOf("key");
  const keys = teamKeys.filter(({ accountId }) => isAdded(accountId));
  for (const key of keys) await createApiKey(store, { ...key, ...boundsOf(spending, key.id) });
  await addCalls(store, teamCalls.filter(({ accountId }) => isAdded(accountId)));
  await addSpending(store, isAdded);
  await addInvitations(store);
  await addCodes(store);
  await addWebhooks(store);
}

async function addCatalog(store: Store): Promise<void> {
  const group = { models: ["*"], formats: ["*"], origin: "console" } as const;
  await createGroup(store, { ...group, id: "batch-and-evaluation", priceRatio: 0.8 });
  for (const id of upstreamIds) await createUpstream(store, upstreamOf(id));
  for (const { id, upstreamId, rates } of teamModels) {
    if (!rates) continue;
    const price = { input: rates[0], output: rates[1] };
    const contextWindow = upstreamId === "gpu-cluster-frankfurt" ? 32_768 : 400_000;
    await createModel(store, { id, price, contextWindow, createdAtMs: nowMs, origin: "console" });
  }
}

function upstreamOf(id: string): UpstreamRecord {
  const place = upstreamIds.indexOf(id);
  return {
    id,
    endpoints: { "chat-completions": `https://203.0.114.${place + 20}/v1` },
    credentials: [`secret-of-${id}`],
    models: modelsOf(id).map((model) => ({ id: model.id })),
    priority: id === "azure-eu" || id === "bedrock-frankfurt" ? -1 : 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
  };
}

async function addProjects(store: Store): Promise<void> {
  const spending = spendingOf("project");
  for (const id of projectIds) {
    const administrators = [teamUsers[3].id];
    const createdAtMs = nowMs - 90 * dayMs;
    await createProject(store, { id, administrators, createdAtMs, ...boundsOf(spending, id) });
  }
  const archived = { createdAtMs: nowMs - 200 * dayMs, archivedAtMs: nowMs - 60 * dayMs };
  await createProject(store, { id: archivedProjectId, administrators: [], ...archived });
}

async function addAccount(store: Store, user: User): Promise<void> {
  const bounds = boundsOf(spendingOf("account"), user.id);
  if (!await getUser(store, user.id)) await createUser(store, { ...user, ...bounds });
  else await updateUser(store, user.id, (current) => ({ ...current, ...bounds }));
  const number = teamUsers.indexOf(user);
  if (number % 6 === 5) return; // never signed in
  const from = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0", ip: "203.0.113.7" };
  await startSession(store, user, { nowMs: nowMs - number * 5 * 3_600_000, ...from });
}

async function addCalls(store: Store, calls: typeof teamCalls): Promise<void> {
  const oldestFirst = calls.toReversed();
  for (let start = 0; start < oldestFirst.length; start += rowsPerCommit) {
    const rows = oldestFirst.slice(start, start + rowsPerCommit);
    const operation = store.kv.atomic();
    const place = { isolateId: "team", sequence: String(start).padStart(9, "0") };
    addWaitingRows(operation, place, rows.map(packRow));
    for (const { accountId, keyId, atMs, costNanoUsd = 0n } of rows) {
      addCharge(operation, {
        accountId,
        keyId,
        day: chargeDay(atMs),
        nanoUsd: costNanoUsd,
        upstreamNanoUsd: 0n,
      });
    }
    await operation.commit();
  }
  await compactRows(store);
  await noteApiKeyUse(store, new Map(oldestFirst.map(({ keyId, atMs }) => [keyId, atMs])));
}

/** The counters of budgets and wallets, as they are after these calls. */
async function addSpending(store: Store, isAdded: IsAdded): Promise<void> {
  const [tags, [organization]] = [spendingOf("tag"), spendingOf("organization")];
  await addTagValues(store, teamTags.map(tagOfText));
  for (const tag of tags) await updateTagBudget(store, tag.id, () => boundsOf(tags, tag.id));
  await updateOrganization(store, () => boundsOf([organization], organization.id));
  const limited = [...spendingsOf(isAdded), ...tags, organization];
  const operation = store.kv.atomic();
  for (const one of limited) addSpent(operation, allowanceOf(one), one.nanoUsd);
  for (const [id, nanoUsd] of spentByAccount()) {
    if (isAdded(id)) addSpent(operation, walletId(id), nanoUsd);
  }
  await operation.commit();
  await addFunds(store, isAdded);
}

function spendingsOf(isAdded: IsAdded) {
  const added = new Set(teamKeys.filter((key) => isAdded(key.accountId)).map(({ id }) => id));
  const [keys, accounts] = [spendingOf("key"), spendingOf("account")];
  return [
    ...keys.filter(({ id }) => added.has(id)),
    ...accounts.filter(({ id }) => isAdded(id)),
    ...spendingOf("project"),
  ];
}

/** Prepaid accounts have some money left, two of them hardly any. */
async function addFunds(store: Store, isAdded: IsAdded): Promise<void> {
  const spent = spentByAccount();
  const prepaid = teamUsers.filter(({ spending, id }) =>
    spending === "prepaid" && id.startsWith("usr_team") && isAdded(id)
  );
  for (const [place, { id }] of prepaid.entries()) {
    const left = place < 2 ? usd / 20n : BigInt(place * 25) * usd;
    await postEntry(store, {
      type: "grant",
      accountId: id,
      changeNanoUsd: (spent.get(id) ?? 0n) + left,
      atMs: nowMs - 40 * dayMs,
      reason: "Budget of the fourth quarter",
      actor: administrator.id,
      idempotencyKey: `team-${id}`,
    });
  }
}

async function addInvitations(store: Store): Promise<void> {
  const invited = ["noor@example.com", "new.colleague@example.com", `contractor.${longEmail}`];
  for (const [place, email] of invited.entries()) {
    const draft = { email, role: "member", spending: "unlimited" } as const;
    const result = await issueInvitation(store, administrator, draft, {
      nowMs: nowMs - place * dayMs,
    });
    assert(result.type === "issued", email);
  }
}

async function addCodes(store: Store): Promise<void> {
  for (const [name, count] of [["Hackathon in Lisbon", 40], ["合作伙伴试用额度", 12]] as const) {
    const draft = { name, amountNanoUsd: 25n * usd, count, usesMax: 1 };
    const made = await createBatch(store, administrator, draft, { nowMs, codesMax: 100 });
    assert(made.type === "created", name);
  }
}

async function addWebhooks(store: Store): Promise<void> {
  const url = "https://hooks.example.com/services/platform-team/incidents-of-the-model-gateway";
  const settings = { url, types: ["upstream.down" as const], description: "值班电话" };
  await createEndpoint(store, newEndpoint(settings, nowMs - 30 * dayMs));
  const failing = { ...newEndpoint({ ...settings, description: "Warehouse" }, nowMs) };
  await createEndpoint(store, { ...failing, failingSinceMs: nowMs - 5 * 3_600_000 });
}

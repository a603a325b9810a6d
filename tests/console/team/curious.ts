import { shownSecret } from "../../../lib/admin/keys/key_status.ts";
import { callIdAt } from "../calls/call_id.ts";
import { member } from "../people.ts";
import { teamCalls } from "./calls.ts";
import { teamKeys } from "./keys.ts";
import { teamModels } from "./models.ts";
import { teamUsers } from "./people.ts";

/** A failed call of another account in a project. */
export const other = failedCall();
const otherKey = teamKeys.filter(({ id }) => id === other.keyId)[0];

/** One more call of that account: no other call has any of these values. */
export const hidden = {
  model: "model-that-nobody-offers",
  upstreamId: "upstream-of-one-account",
  upstreamModel: "model-of-that-upstream",
  tags: ["purpose=acquisition"],
  userAgent: "unpublished-product/0.1",
  ip: "198.51.100.77",
  groupId: "group-of-one-account",
  costNanoUsd: 4_771_130_000_000n,
} as const;
export const hiddenCall = callIdAt(30_000, 9);

/** The parts of addresses, by the path before them: records of the other account where it has some. */
export const samples: Readonly<Record<string, string>> = {
  "/console/token/": other.keyId,
  "/console/log/": hiddenCall.id,
  "/console/projects/": other.projectId ?? "",
  "/console/account/passkeys/": "0".repeat(64),
  "/console/account/identities/": "1".repeat(64),
  "/console/admin/users/": other.accountId,
  "/console/admin/groups/": "coding",
  "/console/admin/projects/": other.projectId ?? "",
  "/console/admin/upstreams/": "openai",
  "/console/admin/audit/": "1",
  "/console/admin/codes/": "1",
  "/console/admin/tokens/": "1",
  "/console/admin/webhooks/": "1",
  "/console/admin/webhooks/[id]/deliveries/": "1",
};

const fields: Readonly<Record<string, readonly string[]>> = {
  user: [other.accountId, teamUsers[2].email],
  owner: [other.accountId],
  account: [other.accountId],
  key: [other.keyId],
  project: [other.projectId ?? ""],
  group: [hidden.groupId],
  model: [hidden.model],
  upstream: [hidden.upstreamId],
  tag: [hidden.tags[0]],
  name: [hidden.model, teamModels[0].id],
  id: [hiddenCall.id],
  call: [hiddenCall.id, `${hiddenCall.id}&part=call`],
  before: [hiddenCall.id],
  status: ["failed"],
  period: ["24h", "30d", "30d&measure=requests", "24h&measure=tokens"],
  page: ["2&size=200"],
  sort: ["owner", "spent"],
  as: ["csv", "jsonl", "spend"],
  by: ["user", "group", "project", "key", "upstream", "model", "tag"],
  q: [
    "o",
    "amara",
    teamUsers[0].email,
    otherKey.name,
    otherKey.lastFour,
    other.keyId,
    other.accountId,
    hiddenCall.id,
    hidden.model,
    hidden.upstreamId,
    hidden.ip,
    "customer-support",
  ],
};

/** The address as it is, and with every field that a curious member may add. */
export function curiousAddresses(address: string): readonly string[] {
  const queries = Object.entries(fields).flatMap(([name, values]) =>
    values.map((value) => `${name}=${encodeURIComponent(value).replace(/%26(\w+)%3D/, "&$1=")}`)
  );
  return [
    address,
    `${address}?who=everyone`,
    `${address}?who=everyone&fresh-partial=true`,
    ...queries.flatMap((query) => [`${address}?${query}`, `${address}?${query}&who=everyone`]),
  ];
}

/** Words that no answer to the member may have. */
export const wordsOfOthers: readonly string[] = [
  ...teamUsers.filter(({ id }) => id !== member.id).flatMap(({ id, email }) =>
    id.startsWith("usr_team") ? [id, email] : [email]
  ),
  ...teamKeys.filter(({ accountId }) => accountId !== member.id)
    .flatMap((key) => [key.id, shownSecret(key)]),
  ...teamCalls.filter(({ accountId }) => accountId !== member.id).map(({ id }) => id),
  hiddenCall.id,
  ...Object.values(hidden).flat().filter((value) => typeof value === "string"),
  "4,771.13",
  "4771.13",
];

function failedCall() {
  const found = teamCalls.find(({ accountId, errorCode, projectId }) =>
    accountId !== member.id && accountId.startsWith("usr_team") && errorCode && projectId
  );
  if (!found) throw new Error("The team has no failed call in a project");
  return found;
}

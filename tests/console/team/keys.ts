import { newApiKey } from "../../../lib/accounts/mod.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import type { User } from "../../../lib/store/users/mod.ts";
import { nowMs } from "../people.ts";
import { teamUsers } from "./people.ts";

const dayMs = 86_400_000;

const names = [
  "nightly-build",
  "prod-api",
  "claude-code",
  "backend-staging",
  "batch-embeddings-of-the-whole-archive-of-support-tickets-since-2019",
  "notebook",
  "夜间回归测试与持续集成(华东二区)",
  "zed",
  "reports",
] as const;

const groups = ["default", "coding", "default", "batch-and-evaluation", "default"] as const;

/** With the key that `stock` adds, there are 117. */
const keyCount = 116;

/** Keys of all accounts: six of the administrator, none of the last account. */
export const teamKeys: readonly ApiKey[] = Array.from({ length: keyCount }, (_, n) => keyOf(n));

function keyOf(number: number): ApiKey {
  const owner = ownerOf(number);
  const round = Math.floor(number / teamUsers.length);
  const draft = {
    accountId: owner.id,
    name: `${names[(number * 5 + round) % names.length]}${round > 1 ? `-${number}` : ""}`,
    groupId: groups[number % groups.length],
    enabled: number % 23 !== 11,
    ...expiryOf(number),
    ...(number % 19 === 6 && { ipAllowList: ["203.0.113.0/24", "2001:db8:42::/48"] }),
    ...(number % 13 === 2 && { models: ["gpt-5*", "claude-*"] }),
    ...(number % 9 === 1 && { limits: { requestsPerMinute: 600, concurrency: 20 } }),
  };
  const { apiKey } = newApiKey(draft, nowMs - (300 - 2 * number) * dayMs);
  return { ...apiKey, id: `key_team_${String(number).padStart(3, "0")}` };
}

function ownerOf(number: number): User {
  if (number >= keyCount - 5) return teamUsers[0];
  return teamUsers[number % (teamUsers.length - 1)];
}

function expiryOf(number: number): Pick<ApiKey, "expiresAtMs"> {
  if (number % 37 === 15) return { expiresAtMs: nowMs - 9 * dayMs };
  if (number % 29 === 4) return { expiresAtMs: nowMs + 3 * dayMs };
  return number % 7 === 5 ? { expiresAtMs: nowMs + 90 * dayMs } : {};
}

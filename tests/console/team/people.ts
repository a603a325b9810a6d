import type { User } from "../../../lib/store/users/mod.ts";
import { administrator, member, nowMs, user } from "../people.ts";

const dayMs = 86_400_000;
const first = ["amara", "bastien", "chiara", "dmitri", "lina", "weiming", "yusuf"] as const;
const last = ["okafor", "lindqvist", "romano", "haddad", "chen", "novak", "silva"] as const;

/** The projects of the team, with the share of the accounts that is in each. */
export const projectIds = ["customer-support-automation-emea", "mobile", "growth-2026"] as const;
export const archivedProjectId = "spring-prototype";

export const longEmail = "maximiliane.von-hohenstein-und-weissenfels@engineering.emea.example.com";

/** 51 accounts with the administrator and the member that other tests use. */
export const teamUsers: readonly User[] = [
  administrator,
  member,
  ...first.flatMap((given, row) =>
    last.map((family, column) => userOf(row * last.length + column, `${given}.${family}`))
  ),
];

function userOf(number: number, name: string): User {
  const projectId = projectIds[number % 5];
  return user({
    id: `usr_team_${String(number).padStart(2, "0")}`,
    email: number === 4 ? longEmail : `${name}@example.com`,
    role: number % 16 === 3 ? "administrator" : "member",
    createdAtMs: nowMs - (400 - 8 * number) * dayMs,
    enabled: number % 24 !== 20,
    spending: number % 5 === 4 ? "prepaid" : "unlimited",
    ...(projectId && { projectId }),
  });
}

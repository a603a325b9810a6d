import { openStore } from "../../lib/store/mod.ts";
import {
  createProject,
  updateOrganization,
  updateTagBudget,
} from "../../lib/store/projects/mod.ts";
import { createUser, firstAccountId } from "../../lib/store/users/mod.ts";

/** The tag of each call in `withTeams`. */
export const tagOfTeam = "team=a";

/** Gives the account of all keys a project, and a budget to project, organization and tag. */
export async function withTeams(secret: string): Promise<void> {
  const store = await openStore({ location: { type: "attached" }, secret });
  const bounds = { budgets: [{ period: "month", nanoUsd: 10n ** 15n }] } as const;
  const createdAtMs = Date.now();
  await createProject(store, { ...bounds, id: "research", administrators: [], createdAtMs });
  await updateOrganization(store, () => bounds);
  await updateTagBudget(store, tagOfTeam, () => bounds);
  await createUser(store, {
    id: firstAccountId,
    email: "owner@example.com",
    role: "administrator",
    createdAtMs,
    enabled: true,
    spending: "unlimited",
    projectId: "research",
  });
  store.close();
}

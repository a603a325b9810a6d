import type { Store } from "../../../lib/store/mod.ts";
import { budgetId } from "../../../lib/store/money/budget.ts";
import { type Budget, organizationId } from "../../../lib/store/money/mod.ts";
import {
  createProject,
  updateOrganization,
  updateTagBudget,
} from "../../../lib/store/projects/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator } from "../../console/people.ts";
import { sampleProject } from "../../store/samples.ts";

export const tag = "team=a";

/** The budgets around that of a key, total and rolling. */
export const levels = ["total", "5h"].flatMap((period) => [
  budgetId("project", "research", period),
  budgetId("organization", organizationId, period),
  budgetId("tag", tag, period),
]);

/**
 * Puts the account of the declared keys into a project with so much money; the organization and the
 * tag have as much.
 */
export async function joinProject(store: Store, nanoUsd: bigint): Promise<void> {
  const budgets: Budget[] = [{ period: "total", nanoUsd }, { period: "5h", nanoUsd }];
  await createProject(store, sampleProject({ budgets }));
  await updateOrganization(store, () => ({ budgets }));
  await updateTagBudget(store, tag, () => ({ budgets }));
  await createUser(store, { ...administrator, projectId: "research" });
}

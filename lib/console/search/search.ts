import { tryLoad } from "../page/try_load.ts";
import { type Found, type HitGroup, type HitKind, hitKinds, type SearchRequest } from "./hits.ts";
import { findActions, findPages } from "./pages.ts";
import {
  findCalls,
  findGroups,
  findKeys,
  findModels,
  findProjects,
  findUpstreams,
  findUsers,
} from "./objects.ts";

const finders = {
  calls: findCalls,
  keys: findKeys,
  models: findModels,
  users: findUsers,
  upstreams: findUpstreams,
  groups: findGroups,
  projects: findProjects,
  pages: findPages,
  actions: findActions,
} as const satisfies Record<HitKind, (search: SearchRequest) => Found | Promise<Found>>;

/**
 * Finds what the reader may see: members their own keys, calls and projects, administrators
 * everyone's. The group with the best hit comes first. A kind that cannot be read is left out.
 */
export async function searchConsole(search: SearchRequest): Promise<readonly HitGroup[]> {
  const groups = await Promise.all(hitKinds.map(async (kind) => {
    const found = await tryLoad(Promise.resolve(finders[kind](search)));
    return { kind, hits: found?.hits ?? [], best: found?.best ?? 0 };
  }));
  return groups.filter(({ hits }) => hits.length > 0).sort((a, b) => b.best - a.best);
}

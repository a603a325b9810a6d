import type { LimitOwner, LimitState } from "../canonical/mod.ts";
import { listApiKeys } from "../store/api_keys/mod.ts";
import { listGroups } from "../store/catalog/mod.ts";
import type { Spender } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { organizationId } from "../store/money/mod.ts";
import { listProjects, listTagBudgets } from "../store/projects/mod.ts";
import { listUsers } from "../store/users/mod.ts";

/** An owner whose budgets and balance are due for a check. */
export interface NotedOwner {
  readonly owner: LimitOwner;
  readonly id: string;
  /** Time of its last spending or refused call. */
  atMs: number;
  /** When a call was last refused, by the limit's name. */
  readonly refusals: Map<string, number>;
}

/** The owners that spent money since the last check. Noting a call takes a look-up for each owner. */
export class NotedOwners {
  #byOwner = noOwners();
  /** In the order in which they were noted first. */
  #noted: NotedOwner[] = [];

  noteSpent(spender: Spender, atMs: number): void {
    eachOwner(spender, (owner, id) => this.note(owner, id, atMs));
  }

  /** Notes all owners, or the named one; each check compares the name with the owner's own limits. */
  noteRefused(
    spender: Spender,
    { name, ownerId }: Pick<LimitState, "name" | "ownerId">,
    atMs: number,
  ): void {
    eachOwner(spender, (owner, id) => {
      if (ownerId === undefined || ownerId === id) {
        this.note(owner, id, atMs).refusals.set(name, atMs);
      }
    });
  }

  note(owner: LimitOwner, id: string, atMs: number): NotedOwner {
    const ids = this.#byOwner[owner];
    const known = ids.get(id);
    if (known) {
      known.atMs = Math.max(known.atMs, atMs);
      return known;
    }
    const noted: NotedOwner = { owner, id, atMs, refusals: new Map() };
    ids.set(id, noted);
    this.#noted.push(noted);
    return noted;
  }

  /** Returns all noted owners, and forgets them. */
  take(): NotedOwner[] {
    const taken = this.#noted;
    this.#noted = [];
    this.#byOwner = noOwners();
    return taken;
  }

  /**
   * Notes everyone with a budget or a prepaid balance. This finds changes that no call noted, such
   * as a reduced budget, or calls that another process settled before it died.
   */
  async noteEveryone(store: Store, atMs: number): Promise<void> {
    const [apiKeys, groups, users, projects, tags] = await Promise.all([
      listApiKeys(store),
      listGroups(store),
      listUsers(store),
      listProjects(store),
      listTagBudgets(store),
    ]);
    for (const { id, budgets } of apiKeys) if (budgets) this.note("key", id, atMs);
    for (const { id, budgets } of groups) if (budgets) this.note("group", id, atMs);
    for (const { id } of users) this.note("account", id, atMs);
    for (const { id, budgets } of projects) if (budgets) this.note("project", id, atMs);
    for (const { tag, budgets } of tags) if (budgets) this.note("tag", tag, atMs);
    this.note("organization", organizationId, atMs);
  }

  /** Notes an owner again whose check failed. */
  putBack({ owner, id, atMs, refusals }: NotedOwner): void {
    const noted = this.note(owner, id, atMs);
    for (const [name, refusedAtMs] of refusals) {
      noted.refusals.set(name, Math.max(refusedAtMs, noted.refusals.get(name) ?? 0));
    }
  }
}

function noOwners(): Readonly<Record<LimitOwner, Map<string, NotedOwner>>> {
  const none = () => new Map<string, NotedOwner>();
  return {
    key: none(),
    group: none(),
    account: none(),
    organization: none(),
    project: none(),
    tag: none(),
  };
}

function eachOwner(
  { keyId, groupId, accountId, projectId, tags = [] }: Spender,
  note: (owner: LimitOwner, id: string) => void,
): void {
  note("key", keyId);
  note("group", groupId);
  note("account", accountId);
  note("organization", organizationId);
  if (projectId !== undefined) note("project", projectId);
  for (const tag of tags) note("tag", tag);
}

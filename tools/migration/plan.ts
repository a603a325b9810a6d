import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import type { Group, Model, UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import type { User } from "../../lib/store/users/mod.ts";

/** The projects that we import from, by the name of their subcommand. */
export const sourceNames = { litellm: "LiteLLM", "new-api": "new-api" } as const;
export type SourceName = keyof typeof sourceNames;

/** A user to create. */
export interface PlannedUser extends User {
  /** The address for sign-in if the user's own belongs to another account; ends in `.invalid`. */
  readonly otherEmail: string;
}

/** Money to grant once. */
export interface PlannedGrant {
  readonly accountId: string;
  readonly nanoUsd: bigint;
  readonly reason: string;
}

/**
 * The records that the source becomes. Their ids are derived from the source's, so that a second
 * run finds the records of the first.
 */
export interface MigrationPlan {
  readonly groups: readonly Group[];
  readonly models: readonly Model[];
  readonly upstreams: readonly UpstreamRecord[];
  readonly users: readonly PlannedUser[];
  readonly grants: readonly PlannedGrant[];
  readonly keys: readonly ApiKey[];
  /** Lines for the operator about what needs an action, such as a missing credential. */
  readonly notices: readonly string[];
}

/** The usage of each subcommand. */
export const migrationUsages = {
  litellm: "deno task import litellm CONFIG [DATABASE] [--env FILE] [--dry-run] [--json]",
  "new-api": "deno task import new-api DATABASE [--dry-run] [--json]",
} as const satisfies Record<SourceName, string>;

/** Returns true for the name of a project that we import from. */
export function isSourceName(text: string): text is SourceName {
  return Object.hasOwn(migrationUsages, text);
}

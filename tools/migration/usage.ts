import type { SourceName } from "./plan.ts";

/** The usage of each subcommand. */
export const migrationUsages = {
  litellm: "deno task import litellm CONFIG [DATABASE] [--env FILE] [--dry-run] [--json]",
  "new-api": "deno task import new-api DATABASE [--dry-run] [--json]",
} as const satisfies Record<SourceName, string>;

/** Returns true for the name of a project that we import from. */
export function isSourceName(text: string): text is SourceName {
  return Object.hasOwn(migrationUsages, text);
}

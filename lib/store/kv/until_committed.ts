import { conflict, pauseAfterConflict } from "./record.ts";

const attemptsMax = 200;

/**
 * Repeats a read-check-commit until `attempt` returns a result; undefined means that another writer
 * won. Throws `conflict` after too many attempts, with `name` for the subject of the change.
 */
export async function untilCommitted<Result>(
  name: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let tried = 0; tried < attemptsMax; tried++) {
    const result = await attempt();
    if (result !== undefined) return result;
    await pauseAfterConflict(tried);
  }
  throw conflict(name);
}

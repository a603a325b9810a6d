import { conflict } from "./record.ts";

const attemptsMax = 200;
const pauseMsMax = 20;

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
    await pause(Math.random() * Math.min(tried, pauseMsMax));
  }
  throw conflict(name);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import type { RequestLogRow } from "../../../lib/store/log/mod.ts";

/** Statuses of calls that an upstream rejected as the caller's fault. */
const rejected = new Set([400, 401, 403, 404, 405, 413, 415, 422]);

/** True for a call that counts for its model: callers may write any name into others. */
export function wasTaken({ upstreamId, status }: RequestLogRow): boolean {
  return upstreamId !== undefined && !rejected.has(status);
}

/** The tag of a key, such as `env=production`. */
export function tagOf({ tags = [] }: RequestLogRow, key: string): string | undefined {
  return tags.find((tag) => tag.startsWith(`${key}=`));
}

/** The test for calls that an upstream answered, or that it was tried for. */
export function wasTried(id: string): (row: RequestLogRow) => boolean {
  return ({ upstreamId, attempts = [] }) =>
    upstreamId === id || attempts.some((attempt) => attempt.upstreamId === id);
}

import type { GatewayError } from "../canonical/mod.ts";
import { StoreUnavailable } from "../store/mod.ts";

/** Writes one line of JSON to standard error. Callers must never pass a prompt, a key or a credential. */
export function logLine(
  level: "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  console.error(JSON.stringify({ at: new Date().toISOString(), level, message, ...fields }));
}

/** Writes a line to the operator's log. Callers pass no prompt, no key and no credential. */
export type Report = typeof logLine;

/** Logs a failure that is not the caller's fault, with the request id that the caller sees. */
export function logFailure(error: GatewayError, requestId: string): void {
  const { cause } = error;
  logLine(error.code === "internal_error" ? "error" : "warn", error.message, {
    requestId,
    code: error.code,
    ...(error.upstreamStatus !== undefined && { upstreamStatus: error.upstreamStatus }),
    ...(error.code === "internal_error" && cause instanceof Error && { stack: cause.stack }),
    ...(error.code === "upstream_unreachable" && { reason: innermost(cause) }),
  });
}

/** Logs that an upstream does not list its models, so its patterns offer no names. */
export function reportUnlisted(
  upstreamId: string,
  { code, upstreamStatus, cause }: GatewayError,
): void {
  logLine("warn", "An upstream does not list its models, so patterns offer none of them", {
    upstreamId,
    code,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
    ...(code === "upstream_unreachable" && { reason: innermost(cause) }),
  });
}

/**
 * Logs that calls to an upstream, one of its credentials or a model are paused; the credential
 * appears under its log name.
 */
export function reportOpened({ target, code, untilMs }: OpenedBreaker): void {
  const until = new Date(untilMs).toISOString();
  const model = target.model?.slice(0, modelCharsMax);
  logLine("warn", "Calls to an upstream are paused after errors", {
    ...target,
    model,
    code,
    until,
  });
}

interface OpenedBreaker {
  readonly target: {
    readonly upstreamId: string;
    readonly credentialId?: string;
    readonly model?: string;
  };
  readonly code: string;
  readonly untilMs: number;
}

/** Bounds a model name, which callers may have made up. */
const modelCharsMax = 200;

/**
 * Returns the runtime's innermost message about a failed connection: it may name an address, never
 * a credential.
 */
function innermost(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return innermost(cause.cause) ?? cause.message;
}

/**
 * Logs a bug outside all handlers. The error's message may quote an address with a key, so only its
 * stack frames are logged.
 */
export function reportThrown(thrown: unknown): void {
  const isError = thrown instanceof Error;
  const frames = isError ? thrown.stack?.split("\n").filter((line) => /^\s+at /.test(line)) : [];
  logLine("error", "A request failed outside its handler", {
    name: isError ? thrown.name : typeof thrown,
    frames,
  });
}

/** Logs a failure of background work, such as compacting the log, which will be retried. */
export function reportBackgroundFailure(thrown: unknown): void {
  if (thrown instanceof StoreUnavailable) return; // the store's own health is reported once
  logLine("warn", "Background work failed and will be retried", { reason: reasonOf(thrown) });
}

/** Reports that clients cannot connect. The server tries again. */
export function reportAcceptFailure(thrown: unknown): void {
  const advice = "Cannot accept connections, retrying. Raise the limit of open files (ulimit -n)";
  logLine("error", advice, { reason: reasonOf(thrown) });
}

/** Reports that clients are refused because none of the open connections is idle. */
export function reportRefusal(open: number): void {
  const advice = `Refusing connections: all ${open} open ones are in use. ` +
    "Raise the limit of open files (ulimit -n) or limits.connectionsMax";
  logLine("warn", advice);
}

/** The text of anything that was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

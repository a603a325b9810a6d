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

/** A failure that is not the caller's, with the request id under which the caller will ask about it. */
export function reportFailure(error: GatewayError, requestId: string): void {
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
  logLine("warn", "An upstream does not list its models: only those with a name are offered", {
    upstreamId,
    code,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
    ...(code === "upstream_unreachable" && { reason: innermost(cause) }),
  });
}

/**
 * An upstream, one of its credentials or a model is left alone for a while; the credential goes by
 * its name for logs.
 */
export function reportOpened({ target, code, untilMs }: OpenedBreaker): void {
  const until = new Date(untilMs).toISOString();
  const model = target.model?.slice(0, modelCharsMax);
  logLine("warn", "An upstream is left alone for a while", { ...target, model, code, until });
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

/** Callers may write a model's name. */
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
 * A bug outside of all handlers: the message of what was thrown may quote an address with a key in
 * it, its frames do not.
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
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  logLine("warn", "Background work failed and will be retried", { reason });
}

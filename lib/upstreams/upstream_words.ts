import { type ErrorCode, GatewayError } from "../canonical/mod.ts";

/** What an upstream says of its failure is its own text: it may repeat the credential or the prompt that it was sent. */

const mask = "…";

/** The failure as the caller may see it. What is no `GatewayError` is handed back as it is. */
export function withoutCredentials(thrown: unknown, credentials: readonly string[]): unknown {
  if (!(thrown instanceof GatewayError)) return thrown;
  const message = credentials.reduce(
    (text, secret) => text.replaceAll(secret, mask),
    thrown.message,
  );
  return message === thrown.message ? thrown : reworded(thrown, message);
}

/** The failure as the operator's log may have it. */
export function withoutUpstreamWords(error: GatewayError): GatewayError {
  const theirs = error.upstreamStatus !== undefined || speaking.has(error.code);
  return theirs ? reworded(error, "The upstream answered with an error") : error;
}

/** Codes whose message may be the upstream's even where it gave no status. */
const speaking: ReadonlySet<ErrorCode> = new Set(["upstream_error", "upstream_overloaded"]);

function reworded(error: GatewayError, message: string): GatewayError {
  const { code, cause, retryAfterSeconds, param, upstreamStatus } = error;
  return new GatewayError(code, message, {
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(param !== undefined && { param }),
    ...(upstreamStatus !== undefined && { upstreamStatus }),
  });
}

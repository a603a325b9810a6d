import {
  changedError,
  type ErrorCode,
  GatewayError,
  type NativeFields,
  type UpstreamSaid,
} from "../canonical/mod.ts";

/** What an upstream says of its failure is its own text: it may repeat the credential or the prompt that it was sent. */

const mask = "…";

/** The failure as the caller may see it. What is no `GatewayError` is handed back as it is. */
export function withoutCredentials(thrown: unknown, credentials: readonly string[]): unknown {
  if (!(thrown instanceof GatewayError)) return thrown;
  const { message, said, native } = thrown;
  const masked = maskedIn(message, credentials);
  const words = said && maskedWords(said, credentials);
  const members = native && maskedMembers(native, credentials);
  const isSame = message === masked && said?.message === words?.message &&
    said?.type === words?.type && said?.code === words?.code && native === members;
  return isSame ? thrown : changedError(thrown, { message: masked, said: words, native: members });
}

/** The failure as the operator's log may have it. */
export function withoutUpstreamWords(error: GatewayError): GatewayError {
  const theirs = error.upstreamStatus !== undefined || speaking.has(error.code);
  return theirs
    ? changedError(error, { message: "The upstream answered with an error", said: undefined })
    : error;
}

/** A text without these secrets. */
export function maskedIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => secret ? rest.replaceAll(secret, mask) : rest, text);
}

/** Codes whose message may be the upstream's even where it gave no status. */
const speaking: ReadonlySet<ErrorCode> = new Set(["upstream_error", "upstream_overloaded"]);

/** The same members if none holds a credential, else none: the message says as much. */
function maskedMembers(
  native: NativeFields,
  credentials: readonly string[],
): NativeFields | undefined {
  const text = JSON.stringify(native.fields);
  return maskedIn(text, credentials) === text ? native : undefined;
}

function maskedWords(
  { message, type, code }: UpstreamSaid,
  credentials: readonly string[],
): UpstreamSaid {
  return {
    ...(message !== undefined && { message: maskedIn(message, credentials) }),
    ...(type !== undefined && { type: maskedIn(type, credentials) }),
    ...(code !== undefined && { code: maskedIn(code, credentials) }),
  };
}

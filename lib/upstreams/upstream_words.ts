import {
  changedError,
  type ErrorCode,
  GatewayError,
  type NativeFields,
  type UpstreamSaid,
} from "../canonical/mod.ts";

/** Masks upstream error messages, which may repeat the credential or the prompt. */

const mask = "…";

/** The failure for the caller, with credentials masked. Returns other errors unchanged. */
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

/** The failure for the operator's log, without the upstream's message. */
export function withoutUpstreamWords(error: GatewayError): GatewayError {
  const theirs = error.upstreamStatus !== undefined || speaking.has(error.code);
  return theirs
    ? changedError(error, { message: "The upstream answered with an error", said: undefined })
    : error;
}

/** The text with these secrets masked. */
export function maskedIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => secret ? rest.replaceAll(secret, mask) : rest, text);
}

/** Codes whose message may be the upstream's even without a status. */
const speaking: ReadonlySet<ErrorCode> = new Set(["upstream_error", "upstream_overloaded"]);

/** The members, or none if one contains a credential: the message is enough. */
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

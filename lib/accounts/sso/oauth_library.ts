import type * as OAuth from "oauth4webapi";
import type { SignInProvider } from "../../config.ts";
import { type CodeExchange, SsoError, type SsoFailure } from "./protocol.ts";

export type Library = typeof OAuth;

/** Loads the library at the first sign-in only. */
export function oauthLibrary(): Promise<Library> {
  return import("oauth4webapi");
}

/** Returns true for an issuer on this machine, which the configuration allows without TLS. */
function isInsecure({ issuer }: SignInProvider): boolean {
  return issuer.startsWith("http:");
}

/** The options of every request to a provider. */
export function requestOptions(oauth: Library, provider: SignInProvider) {
  return {
    [oauth.customFetch]: providerFetch,
    [oauth.allowInsecureRequests]: isInsecure(provider),
  };
}

/** Returns the provider's address for the browser, with the parameters that both protocols need. */
export async function authorizationUrl(
  oauth: Library,
  endpoint: string | undefined,
  { provider, exchange }: { readonly provider: SignInProvider; readonly exchange: CodeExchange },
): Promise<URL> {
  const url = URL.parse(endpoint ?? "");
  const isSafe = url?.protocol === "https:" || url?.protocol === "http:" && isInsecure(provider);
  if (!url || !isSafe) {
    throw new SsoError("unavailable", "The provider has no valid authorization endpoint");
  }
  const parameters = {
    client_id: provider.clientId,
    response_type: "code",
    redirect_uri: exchange.redirectUri,
    scope: provider.scopes.join(" "),
    state: exchange.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(exchange.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Runs a step of the library, and turns its errors into ours. */
export async function signInStep<Result>(
  oauth: Library,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SsoError) throw error;
    if (!(error instanceof Error)) throw error;
    throw new SsoError(failureOf(oauth, error), messageOf(oauth, error), { cause: error });
  }
}

/** The codes of RFC 6749 and OpenID Connect that the checks of an answer do not cause. */
const failures: Readonly<Record<string, SsoFailure>> = {
  access_denied: "cancelled",
  consent_required: "cancelled",
  interaction_required: "cancelled",
  login_required: "cancelled",
  invalid_client: "unavailable",
  unauthorized_client: "unavailable",
  server_error: "unavailable",
  temporarily_unavailable: "unavailable",
};

function failureOf(oauth: Library, error: Error): SsoFailure {
  const code = errorCode(oauth, error);
  if (code !== undefined) return failures[code] ?? "invalid";
  const isRefusal = error instanceof oauth.WWWAuthenticateChallengeError;
  return isRefusal ? "unavailable" : "invalid";
}

function errorCode(oauth: Library, error: Error): string | undefined {
  const stated = error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError;
  return stated ? error.error : undefined;
}

const codeCharsMax = 100;

/** The library's message and the provider's code. Neither has a token or a claim. */
function messageOf(oauth: Library, error: Error): string {
  const code = errorCode(oauth, error);
  return code === undefined ? error.message : `${error.message}: ${code.slice(0, codeCharsMax)}`;
}

const timeoutMs = 10_000;
/** Far more than a discovery document, a set of keys or the claims of a user need. */
const bytesMax = 1_048_576;

/**
 * Calls a sign-in provider and reads its whole answer. Follows no redirect, which would send the
 * client's secret elsewhere. Throws `SsoError` if the provider cannot be reached, is too slow, fails
 * or sends too much.
 */
export async function providerFetch(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    const body = await wholeBody(response, url);
    const { status } = response;
    if (status >= 500) throw new SsoError("unavailable", `${originOf(url)} answered ${status}`);
    const type = response.headers.get("content-type");
    return new Response(body, { status, headers: type === null ? {} : { "content-type": type } });
  } catch (cause) {
    if (cause instanceof SsoError) throw cause;
    throw new SsoError("unavailable", `Cannot reach ${originOf(url)}`, { cause });
  }
}

/** Null for an empty body, because some statuses allow no other. */
async function wholeBody({ body }: Response, url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > bytesMax) throw new SsoError("invalid", `${originOf(url)} sent too much`);
    chunks.push(chunk);
  }
  if (length === 0) return null;
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The address without its path and query, which may have a code. */
function originOf(url: string): string {
  return new URL(url).origin;
}

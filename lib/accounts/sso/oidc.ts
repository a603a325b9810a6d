import type { AuthorizationServer, Client, ClientAuth, TokenEndpointResponse } from "oauth4webapi";
import type { SignInProvider } from "../../config.ts";
import { type Claims, identityOf, isIncomplete } from "./claims.ts";
import {
  authorizationUrl,
  type Library,
  oauthLibrary,
  requestOptions,
  signInStep,
} from "./oauth_library.ts";
import { type CodeExchange, type Protocol, type ProvenIdentity, SsoError } from "./protocol.ts";

const discoveryLifetimeMs = 10 * 60 * 1_000;

/** The parts of one sign-in at a provider. */
interface Known {
  readonly oauth: Library;
  readonly provider: SignInProvider;
  readonly server: AuthorizationServer;
  readonly client: Client;
}

/**
 * OpenID Connect's code flow with PKCE and a nonce. The ID token's signature is always verified, with
 * keys fetched at each sign-in, so that a provider's new keys count at once.
 */
export function oidcProtocol(provider: SignInProvider): Protocol {
  const discover = discovery(provider);
  return {
    async authorizationUrl(exchange) {
      const oauth = await oauthLibrary();
      const server = await discover(oauth);
      const endpoint = server.authorization_endpoint;
      const url = await authorizationUrl(oauth, endpoint, { provider, exchange });
      url.searchParams.set("nonce", exchange.nonce);
      for (const [name, value] of promptsOf(provider, exchange)) url.searchParams.set(name, value);
      return url;
    },

    async identify(answer, exchange) {
      const oauth = await oauthLibrary();
      const server = await discover(oauth);
      const client = { client_id: provider.clientId };
      const known = { oauth, provider, server, client };
      return await signInStep(oauth, () => identify(known, answer, exchange));
    },
  };
}

/**
 * Reads the provider's discovery document and keeps it for ten minutes. Returns a copy each time,
 * because the library keeps a provider's keys by object.
 */
function discovery(provider: SignInProvider): (oauth: Library) => Promise<AuthorizationServer> {
  const kept: { server?: AuthorizationServer; untilMs: number } = { untilMs: 0 };
  return async (oauth) => {
    if (kept.server === undefined || kept.untilMs <= Date.now()) {
      kept.server = await readDiscovery(oauth, provider);
      kept.untilMs = Date.now() + discoveryLifetimeMs;
    }
    return { ...kept.server };
  };
}

async function readDiscovery(
  oauth: Library,
  provider: SignInProvider,
): Promise<AuthorizationServer> {
  const issuer = new URL(provider.issuer);
  try {
    const response = await oauth.discoveryRequest(issuer, requestOptions(oauth, provider));
    return await oauth.processDiscoveryResponse(issuer, response);
  } catch (cause) {
    if (cause instanceof SsoError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SsoError("unavailable", `Cannot use the discovery document: ${reason}`, { cause });
  }
}

/** Google offers no new authentication and does not state the time of the last one. */
function promptsOf({ type }: SignInProvider, { reauthenticate }: CodeExchange): [string, string][] {
  if (!reauthenticate) return [];
  return type === "google"
    ? [["prompt", "select_account"]]
    : [["prompt", "login"], ["max_age", "0"]];
}

async function identify(
  known: Known,
  answer: URLSearchParams,
  exchange: CodeExchange,
): Promise<ProvenIdentity> {
  const { oauth, provider, server, client } = known;
  const options = requestOptions(oauth, provider);
  const parameters = oauth.validateAuthResponse(server, client, answer, exchange.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuth(known),
    parameters,
    exchange.redirectUri,
    exchange.verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: exchange.nonce,
    requireIdToken: true,
    ...(exchange.reauthenticate && provider.type !== "google" &&
      { maxAge: secondsSince(exchange) }),
  });
  await oauth.validateApplicationLevelSignature(server, response, options);
  return identityOf(provider, server.issuer, await claimsOf(known, tokens));
}

/** The longest time since the user entered their credentials. The library allows 30 seconds more. */
function secondsSince({ startedAtMs }: CodeExchange): number {
  return Math.max(0, Math.ceil((Date.now() - startedAtMs) / 1_000));
}

function clientAuth({ oauth, provider: { clientSecret }, server }: Known): ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

/** The library allows clocks to differ by as much, and does not compare `iat` (oauth4webapi 3.8.8). */
const clockToleranceSeconds = 30;

function assertIssuedBefore(issuedAt: number, now: number): void {
  if (issuedAt <= now + clockToleranceSeconds) return;
  throw new SsoError(
    "invalid",
    'The ID token\'s "iat" is in the future: check the clocks of the gateway and the provider',
  );
}

/** The claims of the ID token, completed from UserInfo, which is about the same subject. */
async function claimsOf(known: Known, tokens: TokenEndpointResponse): Promise<Claims> {
  const { oauth, provider, server, client } = known;
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new SsoError("invalid", "There is no ID token");
  assertIssuedBefore(claims.iat, Date.now() / 1_000);
  if (server.userinfo_endpoint === undefined || !isIncomplete(provider, claims)) return claims;
  const options = requestOptions(oauth, provider);
  const response = await oauth.userInfoRequest(server, client, tokens.access_token, options);
  const more = await oauth.processUserInfoResponse(server, client, claims.sub, response);
  return { ...more, ...claims, ...addressIn(claims.email === undefined ? more : claims) };
}

/** An e-mail address with what the same source says about it: one may vouch for another address. */
function addressIn({ email, email_verified, hd }: Claims): Claims {
  return { email, email_verified, hd };
}

import type { AuthorizationServer } from "oauth4webapi";
import { z } from "zod";
import type { SignInProvider } from "../../config.ts";
import { identityOf } from "./claims.ts";
import {
  authorizationUrl,
  type Library,
  oauthLibrary,
  providerFetch,
  requestOptions,
  signInStep,
} from "./oauth_library.ts";
import { type CodeExchange, type Protocol, type ProvenIdentity, SsoError } from "./protocol.ts";

const userSchema = z.object({ id: z.number() });
const emailsSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/**
 * GitHub's web application flow, which is OAuth 2 with PKCE. The subject is the user's number,
 * because names can change hands, and the e-mail address the primary one, if it is verified.
 */
export function githubProtocol(provider: SignInProvider): Protocol {
  const server = serverOf(provider);
  return {
    async authorizationUrl(exchange) {
      const endpoint = server.authorization_endpoint;
      const url = await authorizationUrl(await oauthLibrary(), endpoint, { provider, exchange });
      if (exchange.reauthenticate) url.searchParams.set("prompt", "select_account");
      return url;
    },

    async identify(answer, exchange) {
      const oauth = await oauthLibrary();
      return await signInStep(oauth, () => identify(oauth, { provider, server, answer, exchange }));
    },
  };
}

/** The `iss` of GitHub's answers is its address with `/login/oauth`. */
function serverOf({ issuer }: SignInProvider): AuthorizationServer {
  const base = `${issuer}/login/oauth`;
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/access_token`,
  };
}

async function identify(
  oauth: Library,
  { provider, server, answer, exchange }: {
    readonly provider: SignInProvider;
    readonly server: AuthorizationServer;
    readonly answer: URLSearchParams;
    readonly exchange: CodeExchange;
  },
): Promise<ProvenIdentity> {
  const client = { client_id: provider.clientId };
  const auth = oauth.ClientSecretPost(provider.clientSecret ?? "");
  const parameters = oauth.validateAuthResponse(server, client, answer, exchange.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    parameters,
    exchange.redirectUri,
    exchange.verifier,
    requestOptions(oauth, provider),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  const { id } = await read(provider, { path: "/user", token: tokens.access_token }, userSchema);
  const emails = await read(
    provider,
    { path: "/user/emails", token: tokens.access_token },
    emailsSchema,
  );
  const email = emails.find(({ primary, verified }) => primary && verified)?.email;
  const claims = { sub: String(id), email, email_verified: email !== undefined };
  return identityOf(provider, server.issuer, claims);
}

/** Reads from GitHub's API. Throws `SsoError` if the answer is not what GitHub documents. */
async function read<Value>(
  { issuer }: SignInProvider,
  { path, token }: { readonly path: string; readonly token: string },
  schema: z.ZodType<Value>,
): Promise<Value> {
  const api = issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;
  const response = await providerFetch(api + path, {
    headers: {
      "authorization": `Bearer ${token}`,
      "accept": "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "user-agent": "tessera",
    },
  });
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (response.ok && parsed.success) return parsed.data;
  throw new SsoError("invalid", `GitHub answered ${response.status} for ${path}`);
}

import { createServer } from "node:http";
import Provider from "oidc-provider";
import { clientId, clientSecret } from "./fake_provider.ts";

/** A certified OpenID provider on this machine, with its own pages for signing in and consent. */
export interface OidcServer extends AsyncDisposable {
  readonly issuer: string;
}

/**
 * Starts `oidc-provider` with one client, which returns to `redirectUri`. Anybody signs in, with any
 * password, by the name before the `@` of their address at example.com.
 */
export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, configuration(redirectUri));
  server.on("request", provider.callback());
  return {
    issuer,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configuration(redirectUri: string) {
  return {
    clients: [{
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      response_types: ["code" as const],
      grant_types: ["authorization_code"],
    }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["groups"] },
    cookies: { keys: ["a-key-of-the-tests"] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: true,
        groups: id === "ada" ? ["admins"] : ["staff"],
      }),
    }),
    pkce: { required: () => true },
  };
}

/**
 * Signs in on the provider's own pages, as a browser does: follows its redirects and submits its
 * forms until it sends the browser back. Returns that address.
 */
export async function signInAtServer(start: string, name: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let request = new Request(start);
  for (let step = 0; step < 20; step++) {
    const response = await visit(request, cookies);
    const location = response.headers.get("location");
    if (location !== null) {
      await response.body?.cancel();
      const next = new URL(location, request.url);
      if (next.pathname.endsWith("/callback")) return next;
      request = new Request(next);
    } else request = submitted(await response.text(), request.url, name);
  }
  throw new Error("The provider never sends the browser back");
}

async function visit(request: Request, cookies: Map<string, string>): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { ...Object.fromEntries(request.headers), ...(cookie && { cookie }) };
  const response = await fetch(new Request(request, { headers, redirect: "manual" }));
  for (const line of response.headers.getSetCookie()) {
    const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(key, value);
  }
  return response;
}

/** Fills in the form of the page: the one for signing in, or the one for consent. */
function submitted(html: string, url: string, name: string): Request {
  const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
  const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
  if (action === undefined || prompt === undefined) throw new Error(`No form: ${html}`);
  const fields = { prompt, ...(prompt === "login" && { login: name, password: "any" }) };
  return new Request(new URL(action, url), { method: "POST", body: new URLSearchParams(fields) });
}

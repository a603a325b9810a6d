import { loadConfig, type SignInProvider } from "../../../lib/config.ts";

export const clientId = "tessera";
export const clientSecret = "s3cret-of-the-client";

/** The claims of the user who is signed in at the provider. */
export const mira = {
  sub: "248289761001",
  email: "mira@example.com",
  email_verified: true,
} as const;

interface Issued {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
  readonly authTime: number;
}

/** Ways in which the provider can break the protocol. */
export interface Faults {
  /** Replaces parameters of the redirect back; null removes one. */
  answer?: Record<string, string | null>;
  /** Replaces claims of the ID token. */
  idToken?: Record<string, unknown>;
  /** Replaces the header of the ID token, such as its algorithm. */
  header?: Record<string, unknown>;
  /** Replaces the signature of the ID token. */
  signature?: string;
  /** Replaces fields of the discovery document. */
  discovery?: Record<string, unknown>;
  /** Answers these paths instead of the provider. */
  respond?: (path: string) => Response | undefined;
}

/**
 * An OpenID provider that does what a test asks, also what no real one does. It signs in at once,
 * with the claims of `user`.
 */
export class FakeProvider implements AsyncDisposable {
  user: Record<string, unknown> = { ...mira };
  /** Claims that only UserInfo states. */
  userInfo: Record<string, unknown> | undefined;
  faults: Faults = {};
  readonly requests: string[] = [];
  readonly authorizations: URLSearchParams[] = [];
  readonly #codes = new Map<string, Issued>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #keys: { readonly pair: CryptoKeyPair; readonly kid: string };

  private constructor(keys: { readonly pair: CryptoKeyPair; readonly kid: string }) {
    this.#keys = keys;
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
  }

  static async start(): Promise<FakeProvider> {
    return new FakeProvider(await newKeys());
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Signs with new keys from now on; the old ones are gone. */
  async rotateKeys(): Promise<void> {
    this.#keys = await newKeys();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    this.requests.push(url.pathname);
    const replaced = this.faults.respond?.(url.pathname);
    if (replaced !== undefined) {
      await request.body?.cancel();
      return replaced;
    }
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return Response.json({ ...this.#discovery(), ...this.faults.discovery });
      case "/authorize":
        return this.#authorize(url.searchParams);
      case "/token":
        return await this.#token(request);
      case "/jwks":
        return Response.json({ keys: [await this.#publicKey()] });
      case "/userinfo":
        return Response.json({ ...this.user, ...this.userInfo });
      default:
        return new Response(null, { status: 404 });
    }
  }

  #discovery() {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...(this.userInfo !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #authorize(asked: URLSearchParams): Response {
    this.authorizations.push(asked);
    const code = crypto.randomUUID();
    this.#codes.set(code, {
      nonce: asked.get("nonce"),
      challenge: asked.get("code_challenge"),
      redirectUri: asked.get("redirect_uri"),
      authTime: Math.floor(Date.now() / 1_000),
    });
    const back = new URL(asked.get("redirect_uri") ?? "");
    const answer = { code, state: asked.get("state") ?? "", iss: this.issuer };
    for (const [name, value] of Object.entries({ ...answer, ...this.faults.answer })) {
      if (value !== null) back.searchParams.set(name, value);
    }
    return new Response(null, { status: 303, headers: { location: back.href } });
  }

  /** Checks the client, PKCE and the address as a real provider does, and takes each code once. */
  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const issued = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const [, basic = ""] = (request.headers.get("authorization") ?? "").split(" ");
    if (decodeURIComponent(atob(basic)) !== `${clientId}:${clientSecret}`) {
      return Response.json({ error: "invalid_client" }, { status: 401 });
    }
    const challenge = await challengeOf(form.get("code_verifier") ?? "");
    const isRight = issued?.challenge === challenge &&
      issued.redirectUri === form.get("redirect_uri");
    if (!isRight) return Response.json({ error: "invalid_grant" }, { status: 400 });
    return Response.json({
      access_token: "access",
      token_type: "Bearer",
      id_token: await this.#idToken(issued),
    });
  }

  async #idToken({ nonce, authTime }: Issued): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce,
      auth_time: authTime,
      ...this.user,
      ...this.faults.idToken,
    };
    const header = { alg: "ES256", kid: this.#keys.kid, ...this.faults.header };
    const text = `${base64Url(JSON.stringify(header))}.${base64Url(JSON.stringify(claims))}`;
    return `${text}.${this.faults.signature ?? await this.#sign(text)}`;
  }

  async #sign(text: string): Promise<string> {
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const bytes = new TextEncoder().encode(text);
    const signature = await crypto.subtle.sign(algorithm, this.#keys.pair.privateKey, bytes);
    return base64Url(new Uint8Array(signature));
  }

  async #publicKey(): Promise<JsonWebKey & { kid: string }> {
    const jwk = await crypto.subtle.exportKey("jwk", this.#keys.pair.publicKey);
    return { ...jwk, kid: this.#keys.kid, use: "sig", alg: "ES256" };
  }
}

async function newKeys() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  return { pair, kid: crypto.randomUUID() };
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64Url(new Uint8Array(digest));
}

function base64Url(value: string | Uint8Array): string {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The settings of providers as the configuration file gives them. */
export function providersOf(
  ...providers: readonly Record<string, unknown>[]
): readonly SignInProvider[] {
  const file = JSON.stringify({ signIn: { providers } });
  return loadConfig({ TESSERA_CONFIG: "x" }, () => file).signIn.providers;
}

/** The settings of a fake provider. */
export function settingsOf(
  { issuer }: Pick<FakeProvider, "issuer">,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return { id: "acme", name: "Acme", issuer, clientId, clientSecret, ...fields };
}

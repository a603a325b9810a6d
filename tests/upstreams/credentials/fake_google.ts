import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import type { Clock } from "./network.ts";

const scope = "https://www.googleapis.com/auth/cloud-platform";
export const email = "gateway@project-1.iam.gserviceaccount.com";
export const audience =
  "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/p";
export const impersonationUrl =
  `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`;
export const pair = await generateKeyPair("RS256", { extractable: true });
export const privateKey = await exportPKCS8(pair.privateKey);

/** Google's token services and a model's endpoint, as strict as they are. */
export class FakeGoogle {
  /** Issued tokens: what they were issued for, and their end. */
  readonly tokens = new Map<string, { readonly by: string; readonly endsAtMs: number }>();
  readonly #clock: Clock;
  readonly #tokenUrl: string;

  /** `tokenUrl`: the address that assertions must be meant for. */
  constructor(clock: Clock, tokenUrl = "https://oauth2.googleapis.com/token") {
    this.#clock = clock;
    this.#tokenUrl = tokenUrl;
  }

  /** The number of tokens that were issued in a way. */
  issued(by: string): number {
    return this.tokens.values().filter((one) => one.by === by).toArray().length;
  }

  #issue(by: string, minutes = 60): string {
    const token = `ya29.${by}-${this.tokens.size}`;
    this.tokens.set(token, { by, endsAtMs: this.#clock.nowMs + minutes * 60_000 });
    return token;
  }

  /** Ends all tokens before their time. */
  expire(): void {
    for (const [token, one] of this.tokens) {
      this.tokens.set(token, { ...one, endsAtMs: this.#clock.nowMs });
    }
  }

  /** `oauth2.googleapis.com` */
  readonly oauth = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text());
    if (form.get("grant_type") === "refresh_token") return this.#refreshed(form);
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") {
      return Response.json({ error: "unsupported_grant_type" }, { status: 400 });
    }
    try {
      const { payload, protectedHeader } = await jwtVerify(
        form.get("assertion") ?? "",
        pair.publicKey,
        {
          ...{ issuer: email, audience: this.#tokenUrl, algorithms: ["RS256"] },
          currentDate: new Date(this.#clock.nowMs),
        },
      );
      const { iat = 0, exp = Infinity } = payload;
      if (
        payload.scope !== scope || exp - iat > 3_600 || (protectedHeader.kid ?? "key-1") !== "key-1"
      ) {
        throw payload;
      }
      const token = this.#issue("jwt");
      return Response.json({ access_token: token, expires_in: 3_600, token_type: "Bearer" });
    } catch {
      return Response.json(
        { error: "invalid_grant", error_description: "Invalid JWT Signature." },
        { status: 400 },
      );
    }
  };

  #refreshed(form: URLSearchParams): Response {
    const isRight = form.get("client_id") === "client-1" &&
      form.get("client_secret") === "secret-1" &&
      form.get("refresh_token") === "1//refresh";
    return isRight
      ? Response.json({ access_token: this.#issue("refresh"), expires_in: 3_600 })
      : Response.json({ error: "invalid_grant", error_description: "Token has been revoked." }, {
        status: 400,
      });
  }

  /** The metadata server. */
  readonly metadata = (request: Request): Response => {
    if (request.headers.get("metadata-flavor") !== "Google") {
      return new Response("", { status: 403 });
    }
    const isToken = new URL(request.url).pathname ===
      "/computeMetadata/v1/instance/service-accounts/default/token";
    return isToken
      ? Response.json({ access_token: this.#issue("metadata"), expires_in: 3_600 }, {
        headers: { "metadata-flavor": "Google" },
      })
      : new Response("", { status: 404 });
  };

  /** `sts.googleapis.com`: exchanges the token that `isSubject` accepts. */
  readonly sts =
    (isSubject: (token: string) => Promise<boolean> | boolean) => async (request: Request) => {
      const form = new URLSearchParams(await request.text());
      const isRight = new URL(request.url).pathname === "/v1/token" &&
        form.get("audience") === audience &&
        form.get("grant_type") === "urn:ietf:params:oauth:grant-type:token-exchange" &&
        form.get("requested_token_type") === "urn:ietf:params:oauth:token-type:access_token" &&
        form.get("scope") === scope && await isSubject(form.get("subject_token") ?? "");
      return isRight
        ? Response.json({ access_token: this.#issue("exchange"), expires_in: 3_600 })
        : Response.json({
          error: "invalid_grant",
          error_description: "The subject token is invalid",
        }, { status: 400 });
    };

  /** `iamcredentials.googleapis.com`: a token of a service account for one of the exchange. */
  readonly impersonate = async (request: Request): Promise<Response> => {
    const asked = await request.json();
    const known = this.tokens.get(
      request.headers.get("authorization")?.replace("Bearer ", "") ?? "",
    );
    const seconds = Number(/^(\d+)s$/.exec(asked.lifetime)?.[1]);
    if (
      request.url !== impersonationUrl || known?.by !== "exchange" || asked.scope?.[0] !== scope
    ) {
      const error = { code: 403, message: "Permission denied", status: "PERMISSION_DENIED" };
      return Response.json({ error }, { status: 403 });
    }
    const expireTime = new Date(this.#clock.nowMs + seconds * 1_000).toISOString();
    return Response.json({ accessToken: this.#issue("impersonation", seconds / 60), expireTime });
  };

  /** A model's endpoint. */
  readonly vertex = (request: Request): Response => {
    const token = this.tokens.get(
      request.headers.get("authorization")?.replace("Bearer ", "") ?? "",
    );
    if (token && this.#clock.nowMs < token.endsAtMs) {
      return Response.json({ by: token.by, payer: request.headers.get("x-goog-user-project") });
    }
    const message =
      "Request had invalid authentication credentials. Expected OAuth 2 access token.";
    return Response.json({ error: { code: 401, message, status: "UNAUTHENTICATED" } }, {
      status: 401,
    });
  };
}

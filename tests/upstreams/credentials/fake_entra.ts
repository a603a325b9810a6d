import type { Clock } from "./network.ts";

export const assertion = "eyJhbGciOiJSUzI1NiJ9.federated.token";

/** Entra and the identity services of machines, as strict as they are. */
export class FakeEntra {
  readonly tokens = new Map<string, { readonly scope: string; readonly endsAtMs: number }>();
  constructor(readonly clock: Clock) {}

  #issue(scope: string): string {
    const token = `eyJ0eXAi.${this.tokens.size}.entra`;
    this.tokens.set(token, { scope, endsAtMs: this.clock.nowMs + 3_600_000 });
    return token;
  }

  readonly login = async (request: Request): Promise<Response> => {
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    const isClient = new URL(request.url).pathname === "/tenant-1/oauth2/v2.0/token" &&
      form.client_id === "client-1" && form.grant_type === "client_credentials";
    const isProven = form.client_secret === "secret-1" || (form.client_assertion === assertion &&
      form.client_assertion_type === "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    if (isClient && isProven && form.scope?.endsWith("/.default")) {
      return Response.json({
        token_type: "Bearer",
        expires_in: 3_599,
        access_token: this.#issue(form.scope),
      });
    }
    return Response.json({
      error: "invalid_client",
      error_description:
        "AADSTS7000222: The provided client secret keys for app 'client-1' are expired.",
    }, { status: 401 });
  };

  readonly machine = (request: Request): Response => {
    const { searchParams: query, pathname } = new URL(request.url);
    const isInstance = request.headers.get("metadata") === "true" &&
      pathname === "/metadata/identity/oauth2/token" && query.get("api-version") === "2018-02-01";
    const isApp = request.headers.get("x-identity-header") === "header-1" &&
      pathname === "/msi/token" && query.get("api-version") === "2019-08-01";
    if (!isInstance && !isApp) return new Response("", { status: 400 });
    const endsAt = String(this.clock.nowMs / 1_000 + 3_600);
    const token = this.#issue(`${query.get("resource")} ${query.get("client_id")}`);
    return Response.json({
      access_token: token,
      expires_on: endsAt,
      ...(isInstance && { expires_in: "3600" }),
    });
  };

  readonly foundry = (request: Request): Response => {
    const token = this.tokens.get(
      request.headers.get("authorization")?.replace("Bearer ", "") ?? "",
    );
    return token && this.clock.nowMs < token.endsAtMs
      ? new Response(token.scope)
      : Response.json({ error: { code: "Unauthorized", message: "Access token has expired." } }, {
        status: 401,
      });
  };
}

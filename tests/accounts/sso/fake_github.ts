/** An address in the answer of `GET /user/emails`. */
interface Email {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
  readonly visibility: string | null;
}

/** A GitHub that answers as its documentation says (2022-11-28), at the paths of its own server. */
export class FakeGitHub implements AsyncDisposable {
  user = { id: 583_231, login: "mira" };
  emails: readonly Email[] = [
    { email: "mira@home.example", primary: false, verified: true, visibility: null },
    { email: "Mira@example.com", primary: true, verified: true, visibility: "private" },
  ];
  readonly requests: Request[] = [];
  readonly #codes = new Map<string, string | null>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    this.requests.push(request);
    switch (pathname) {
      case "/login/oauth/authorize":
        return this.#authorize(searchParams);
      case "/login/oauth/access_token":
        return await this.#token(request);
      case "/api/v3/user":
        return this.#read(request, this.user);
      case "/api/v3/user/emails":
        return this.#read(request, this.emails);
      default:
        return Response.json({ message: "Not Found" }, { status: 404 });
    }
  }

  #authorize(asked: URLSearchParams): Response {
    const code = crypto.randomUUID();
    this.#codes.set(code, asked.get("code_challenge"));
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    back.searchParams.set("iss", `${this.issuer}/login/oauth`);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  /** Errors have the status 200. */
  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const known = this.#codes.delete(form.get("code") ?? "");
    if (!known || !form.has("code_verifier") || form.get("client_secret") !== "s3cret") {
      return Response.json({
        error: "bad_verification_code",
        error_description: "The code passed is incorrect or expired.",
      });
    }
    return Response.json({ access_token: "gho_x", scope: "user:email", token_type: "bearer" });
  }

  #read(request: Request, content: unknown): Response {
    const isRight = request.headers.get("authorization") === "Bearer gho_x" &&
      request.headers.has("user-agent");
    return isRight
      ? Response.json(content)
      : Response.json({ message: "Bad credentials" }, { status: 401 });
  }
}

import { BoundedMap } from "../../bounded_map.ts";
import type { Outbound } from "../fetch.ts";
import { audienceOf, type Signing, signingOf } from "../surfaces/mod.ts";
import { type Ask, unusable } from "./ask.ts";
import { machineSourceKeys, staticKeys, webIdentityKeys } from "./aws.ts";
import type { Machine, SourceContext } from "./context.ts";
import { entraToken, managedIdentityToken } from "./entra.ts";
import { authorizedUserToken, metadataToken, serviceAccountToken } from "./google.ts";
import { externalAccountToken } from "./google_external.ts";
import { type Expiring, Renewed } from "./renewed.ts";
import { type AwsKeys, mintedToken, signedHeaders } from "./signature.ts";
import { type AwsSource, type CredentialSource, isOfAws } from "./source.ts";

/** A request that may be sent, and what it was authorized with. */
interface Authorized {
  readonly outbound: Outbound;
  /** The secrets in it, which no message may show. */
  readonly secrets: readonly string[];
  /** Forgets what the upstream says has expired. */
  readonly refuse: () => void;
}

interface AccessOptions {
  readonly ask: Ask;
  readonly machine: Machine;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The most tokens and keys that are kept, far more than there are credentials. */
const keptMax = 1_000;

type TokenSource = Exclude<CredentialSource, AwsSource>;

/** Authorizes requests by credential sources, whose tokens and keys it keeps and renews. */
export class SourceAccess {
  readonly #options: AccessOptions;
  readonly #tokens = new BoundedMap<string, Renewed<string>>(keptMax);
  readonly #keys = new BoundedMap<string, Renewed<AwsKeys>>(keptMax);

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Rejects with `upstream_unauthorized` or `upstream_error` if there is no token. */
  async authorize({ source: used, ...outbound }: Outbound): Promise<Authorized> {
    if (!used) return { outbound, secrets: [], refuse: () => {} };
    const { source, secret, upstream } = used;
    const signing = used.signing ?? signingOf(upstream);
    const scope = audienceOf(upstream);
    const { origin } = upstream;
    const { ask } = this.#options;
    const context = {
      ...this.#options,
      ask: (request: Parameters<Ask>[0]) => ask(request, [secret]),
      origin,
      ...(signing && { signing }),
      ...(scope && { scope }),
    };
    if (isOfAws(source)) return await this.#authorizeAtAws(outbound, source, { secret, context });
    const token = this.#tokens.getOrInsert(
      `${origin}\n${scope}\n${secret}`,
      () => new Renewed(() => tokenOf(source, context), context.now),
    );
    return await withToken(
      { ...outbound, headers: { ...outbound.headers, ...payerOf(source) } },
      token,
    );
  }

  async #authorizeAtAws(
    outbound: Outbound,
    source: AwsSource,
    { secret, context }: { readonly secret: string; readonly context: SourceContext },
  ): Promise<Authorized> {
    const { signing, now } = context;
    if (!signing) {
      throw unusable("Keys of AWS fit only an upstream on a surface of AWS with a region");
    }
    const name = `${context.origin}\n${signing.region}\n${secret}`;
    const keys = this.#keys.getOrInsert(
      name,
      () => new Renewed(() => keysOf(source, context), now),
    );
    if (source.mint === false || !minting.has(signing.service)) {
      return await signedBy(outbound, keys, { signing, nowMs: now() });
    }
    const token = this.#tokens.getOrInsert(
      name,
      () => new Renewed(async () => mintedToken(await keys.get(), { signing, nowMs: now() }), now),
    );
    return await withToken(outbound, token, () => keys.clear());
  }
}

/** Services that take a bearer token which the gateway makes of keys. */
const minting: ReadonlySet<string> = new Set(["bedrock", "bedrock-mantle"]);

async function withToken(
  outbound: Outbound,
  renewed: Renewed<string>,
  onRefused: () => void = () => {},
): Promise<Authorized> {
  const { value: token } = await renewed.get();
  return {
    outbound: { ...outbound, headers: { ...outbound.headers, authorization: `Bearer ${token}` } },
    secrets: [token],
    refuse: () => {
      if (renewed.refuse(token)) onRefused();
    },
  };
}

async function signedBy(
  outbound: Outbound,
  renewed: Renewed<AwsKeys>,
  options: { readonly signing: Signing; readonly nowMs: number },
): Promise<Authorized> {
  const { value: keys } = await renewed.get();
  const headers = await signedHeaders(outbound, { keys, ...options });
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  return {
    outbound: { ...outbound, headers },
    secrets: [accessKeyId, secretAccessKey, ...(sessionToken ? [sessionToken] : [])],
    refuse: () => renewed.refuse(keys),
  };
}

/** The project that pays for the call, if Google's file names one. */
function payerOf(source: TokenSource): Readonly<Record<string, string>> {
  const project = "quota_project_id" in source ? source.quota_project_id : undefined;
  return typeof project === "string" ? { "x-goog-user-project": project } : {};
}

function keysOf(source: AwsSource, context: SourceContext): Promise<Expiring<AwsKeys>> {
  switch (source.type) {
    case "aws":
      return staticKeys(source, context);
    case "aws_web_identity":
      return webIdentityKeys(source, context);
    case "aws_machine":
      return machineSourceKeys(source, context);
    default:
      return source satisfies never;
  }
}

function tokenOf(source: TokenSource, context: SourceContext): Promise<Expiring<string>> {
  switch (source.type) {
    case "service_account":
      return serviceAccountToken(source, context);
    case "authorized_user":
      return authorizedUserToken(source, context);
    case "external_account":
      return externalAccountToken(source, context);
    case "google_metadata":
      return metadataToken(source, context);
    case "entra":
      return entraToken(source, context);
    case "entra_managed_identity":
      return managedIdentityToken(source, context);
    default:
      return source satisfies never;
  }
}

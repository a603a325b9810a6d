import { lenientText } from "../../bytes.ts";
import type { UpstreamTimeouts } from "../../store/mod.ts";
import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import type { Send } from "../send.ts";
import { signingOf } from "../surfaces/mod.ts";
import { elementIn } from "./ask.ts";
import { callerIdentity } from "./aws.ts";
import { type CredentialSource, readCredentialSource } from "./source.ts";

interface Asking {
  readonly send: Send;
  readonly timeouts: UpstreamTimeouts;
  readonly caller: AbortSignal;
}

/**
 * The name under which a cloud knows an upstream's first credential, such as the ARN of a role or a
 * service account; undefined for a static secret, or if the cloud does not say.
 */
export async function sourceIdentity(
  upstream: UpstreamRecord,
  asking: Asking,
): Promise<string | undefined> {
  const [secret] = upstream.credentials;
  if (secret === undefined) return undefined;
  try {
    const source = readCredentialSource(secret);
    if (!source) return undefined;
    return namedIn(source) ?? await namedByAws({ source, secret, upstream }, asking);
  } catch {
    return undefined; // the test of the connection itself says why
  }
}

/** The name that the source itself states. */
function namedIn(source: CredentialSource): string | undefined {
  switch (source.type) {
    case "service_account":
      return source.client_email;
    case "external_account":
      return /serviceAccounts\/([^/:]+)/.exec(source.service_account_impersonation_url ?? "")?.[1];
    case "entra":
    case "entra_managed_identity":
      return source.clientId;
    default:
      return undefined;
  }
}

/** The ARN of the keys, which every identity may read. */
async function namedByAws(
  used: {
    readonly source: CredentialSource;
    readonly secret: string;
    readonly upstream: UpstreamRecord;
  },
  { send, timeouts, caller }: Asking,
): Promise<string | undefined> {
  const signing = signingOf(used.upstream);
  const asked = signing && callerIdentity(used.source, signing.region);
  if (!asked) return undefined;
  const { request, region } = asked;
  const source = { ...used, signing: { service: "sts", region } };
  const { origin } = used.upstream;
  const answer = await send({ ...request, origin, source }, timeouts, caller);
  return elementIn(lenientText(await answer.readRest()), "Arn");
}

import { objectIn } from "../../formats/wire_value.ts";
import { formOf, lacking } from "./ask.ts";
import { machineKeys, machineRegion } from "./aws_machine.ts";
import { type Get, type SourceContext, tokenFile } from "./context.ts";
import { cloudPlatform } from "./google.ts";
import type { Expiring } from "./renewed.ts";
import { signedHeaders } from "./signature.ts";
import type { SourceOf } from "./source.ts";
import { tokenIn } from "./token.ts";

type External = SourceOf<"external_account">;

/**
 * A token by workload identity federation: the token of a foreign identity is exchanged at Google's
 * token service (RFC 8693), and then, if the file says so, for one of a service account.
 */
export const externalAccountToken: Get<External, string> = async (source, context) => {
  const { ask, now, origin } = context;
  const request = formOf({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    audience: source.audience,
    scope: cloudPlatform,
    requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
    subject_token: await subjectToken(source, context),
    subject_token_type: source.subject_token_type,
  });
  const exchanged = tokenIn(await ask({ url: source.token_url, origin, ...request }), now());
  return await impersonated(exchanged, source, context);
};

async function impersonated(
  token: Expiring<string>,
  { service_account_impersonation_url: url, service_account_impersonation: settings }: External,
  { ask, now, origin }: SourceContext,
): Promise<Expiring<string>> {
  if (url === undefined) return token;
  const seconds = settings?.token_lifetime_seconds ?? 3_600;
  const answer = await ask({
    ...{ url, origin, method: "POST" },
    headers: { authorization: `Bearer ${token.value}` },
    body: JSON.stringify({ scope: [cloudPlatform], lifetime: `${seconds}s` }),
  });
  return tokenIn(answer, now());
}

async function subjectToken(source: External, context: SourceContext): Promise<string> {
  const { environment_id, file, url, headers = {}, format } = source.credential_source;
  if (environment_id !== undefined) return await awsToken(source, context);
  const { ask, origin } = context;
  const text = file !== undefined
    ? await tokenFile(file, context)
    : await ask({ url: url ?? "", origin, method: "GET", headers });
  if (format?.type !== "json") return text.trim();
  const token = objectIn(text)?.[format.subject_token_field_name ?? "access_token"];
  if (typeof token !== "string") throw lacking("a subject token");
  return token;
}

/** The proof of AWS's identity: a signed request for its name, which Google sends on. */
async function awsToken(
  { audience, credential_source: { regional_cred_verification_url: pattern } }: External,
  context: SourceContext,
): Promise<string> {
  const { value: keys } = await machineKeys(context);
  const region = await machineRegion(context);
  const url = (pattern ?? "").replace("{region}", region);
  const headers = await signedHeaders(
    { url, method: "POST", headers: {} },
    { keys, signing: { service: "sts", region }, nowMs: context.now() },
  );
  const sent = { ...headers, host: new URL(url).host, "x-goog-cloud-target-resource": audience };
  const list = Object.entries(sent).map(([key, value]) => ({ key, value }));
  return encodeURIComponent(JSON.stringify({ url, method: "POST", headers: list }));
}

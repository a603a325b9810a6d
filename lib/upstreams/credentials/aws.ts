import { elementIn, formOf, lacking, unusable } from "./ask.ts";
import { machineKeys } from "./aws_machine.ts";
import {
  type Get,
  machineOf,
  type SourceContext,
  tokenFile,
  variableFile,
  variableOf,
} from "./context.ts";
import type { Expiring } from "./renewed.ts";
import { type AwsKeys, signedHeaders } from "./signature.ts";
import { type AwsSource, type CredentialSource, isOfAws, type SourceOf } from "./source.ts";
import { endAt, isHeaderText } from "./token.ts";

const usualSessionName = "tessera";

/** The keys of the source, or those of the role that they assume. */
export const staticKeys: Get<SourceOf<"aws">, AwsKeys> = async (source, context) => {
  const { accessKeyId, secretAccessKey, sessionToken } = source;
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  return await assumedBy({ value: keys, endsAtMs: Infinity }, source, context);
};

/** The keys of the gateway's machine, or those of the role that they assume. */
export const machineSourceKeys: Get<SourceOf<"aws_machine">, AwsKeys> = async (source, context) => {
  const { variables } = machineOf(context);
  const { AWS_ROLE_ARN: own, AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ACCESS_KEY_ID: id } = variables;
  if (!file || !own || id) return await assumedBy(await machineKeys(context), source, context);
  const keys = await webIdentityKeys(
    { ...source, type: "aws_web_identity", roleArn: own },
    context,
  );
  return source.roleArn === own ? keys : await assumedBy(keys, source, context);
};

/** The keys of the role of a source; the given ones without a role. */
async function assumedBy(
  { value: keys, endsAtMs }: Expiring<AwsKeys>,
  source: SourceOf<"aws" | "aws_machine">,
  context: SourceContext,
): Promise<Expiring<AwsKeys>> {
  const { roleArn, externalId } = source;
  if (roleArn === undefined) return { value: keys, endsAtMs };
  const { region, request } = tokenService(source, context, {
    Action: "AssumeRole",
    RoleArn: roleArn,
    ExternalId: externalId,
  });
  const signing = { service: "sts", region };
  const headers = await signedHeaders(request, { keys, signing, nowMs: context.now() });
  return keysIn(await context.ask({ ...request, headers }));
}

/** The keys of the role that a web identity assumes, such as a pod of EKS (IRSA). Unsigned. */
export const webIdentityKeys: Get<SourceOf<"aws_web_identity">, AwsKeys> = async (
  source,
  context,
) => {
  const token = source.tokenFile === undefined
    ? await variableFile("AWS_WEB_IDENTITY_TOKEN_FILE", context)
    : await tokenFile(source.tokenFile, context);
  const { request } = tokenService(source, context, {
    Action: "AssumeRoleWithWebIdentity",
    RoleArn: source.roleArn ?? variableOf("AWS_ROLE_ARN", context),
    WebIdentityToken: token,
  });
  return keysIn(await context.ask(request));
};

/** A request for keys to AWS's token service. */
function tokenService(
  source: AwsSource,
  { signing, origin }: SourceContext,
  query: Readonly<Record<string, string | undefined>>,
) {
  const { region, url } = tokenServiceOf(source, signing?.region);
  const session = source.roleSessionName ?? usualSessionName;
  const form = formOf({ ...query, Version: version, RoleSessionName: session });
  return { region, request: { url, origin, ...form } };
}

const version = "2011-06-15";

/** The address of the token service, in the region of the source or the upstream. */
function tokenServiceOf(
  source: { readonly region?: string | undefined; readonly stsEndpoint?: string | undefined },
  upstreamRegion: string | undefined,
): { readonly region: string; readonly url: string } {
  const region = source.region ?? upstreamRegion;
  if (region === undefined) throw unusable("The credential needs a region of AWS");
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return { region, url: source.stsEndpoint ?? `https://sts.${region}.${domain}/` };
}

/** The request for the name of the keys of a source, which it must be signed with. */
export function callerIdentity(source: CredentialSource, upstreamRegion: string) {
  if (!isOfAws(source)) return undefined;
  const { region, url } = tokenServiceOf(source, upstreamRegion);
  return { region, request: { url, ...formOf({ Action: "GetCallerIdentity", Version: version }) } };
}

function keysIn(xml: string): Expiring<AwsKeys> {
  const read = (name: string) => {
    const text = elementIn(xml, name);
    if (!isHeaderText(text)) throw lacking("keys");
    return text;
  };
  const value = {
    accessKeyId: read("AccessKeyId"),
    secretAccessKey: read("SecretAccessKey"),
    sessionToken: read("SessionToken"),
  };
  return { value, endsAtMs: endAt(read("Expiration")) };
}

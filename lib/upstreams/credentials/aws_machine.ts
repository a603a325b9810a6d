import { objectIn } from "../../formats/wire_value.ts";
import { lacking, unusable } from "./ask.ts";
import { machineOf, type SourceContext, variableFile } from "./context.ts";
import type { Expiring } from "./renewed.ts";
import type { AwsKeys } from "./signature.ts";
import { endAt, isHeaderText } from "./token.ts";

/** Keys of a container of ECS, or of a pod of EKS. */
const containerKeys = async (context: SourceContext): Promise<Expiring<AwsKeys>> => {
  const { variables } = machineOf(context);
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path } = variables;
  const url = path ? `http://169.254.170.2${path}` : variables.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (!url) throw unusable("The gateway does not run in a container of ECS or a pod of EKS");
  const token = variables.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE
    ? await variableFile("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", context)
    : variables.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  const headers = { ...(token && { authorization: token }) };
  return keysIn(await context.ask({ url, origin: "config", method: "GET", headers }));
};

/** Keys of the role of an EC2 instance, by version 2 of its metadata service. */
const instanceKeys = async (context: SourceContext): Promise<Expiring<AwsKeys>> => {
  const metadata = await instanceMetadata(context);
  const roles = "meta-data/iam/security-credentials/";
  const [role = ""] = (await metadata(roles)).trim().split("\n");
  return keysIn(await metadata(`${roles}${role}`));
};

async function instanceMetadata(
  context: SourceContext,
): Promise<(path: string) => Promise<string>> {
  const { AWS_EC2_METADATA_SERVICE_ENDPOINT: own } = machineOf(context).variables;
  const base = `${(own ?? "http://169.254.169.254").replace(/\/$/, "")}/latest`;
  const session = await context.ask({
    ...{ url: `${base}/api/token`, origin: "config", method: "PUT" },
    headers: { "x-aws-ec2-metadata-token-ttl-seconds": "21600" },
  });
  const headers = { "x-aws-ec2-metadata-token": session.trim() };
  return (path) =>
    context.ask({ url: `${base}/${path}`, origin: "config", method: "GET", headers });
}

/** The keys of the machine, where AWS's own tools look for them. */
export async function machineKeys(context: SourceContext): Promise<Expiring<AwsKeys>> {
  const { variables } = machineOf(context);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (accessKeyId && secretAccessKey) {
    const { AWS_SESSION_TOKEN: sessionToken } = variables;
    const value = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
    return { value, endsAtMs: Infinity };
  }
  const isContainer = variables.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI ??
    variables.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  return await (isContainer ? containerKeys : instanceKeys)(context);
}

/** The region of the machine. */
export async function machineRegion(context: SourceContext): Promise<string> {
  const { AWS_REGION: region, AWS_DEFAULT_REGION: usual } = machineOf(context).variables;
  return region ?? usual ?? await (await instanceMetadata(context))("meta-data/placement/region");
}

/** The keys in an answer of a container's or an instance's service. */
function keysIn(text: string): Expiring<AwsKeys> {
  const answer = objectIn(text) ?? {};
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken } =
    answer;
  if (!isHeaderText(accessKeyId) || !isHeaderText(secretAccessKey) || !isHeaderText(sessionToken)) {
    throw lacking("keys");
  }
  const endsAtMs = endAt(String(answer.Expiration));
  return { value: { accessKeyId, secretAccessKey, sessionToken }, endsAtMs };
}

import { z } from "zod";
import { GatewayError, type JsonObject } from "../../canonical/mod.ts";
import { objectIn } from "../../formats/wire_value.ts";
import type { Cloud } from "../../store/catalog/mod.ts";
import { signingOf } from "../surfaces/mod.ts";

const text = z.string("must be a text").trim().min(1, "must be a text").max(20_000);
/** A text that headers carry as it is. */
const word = z.string("must be a text").trim().regex(/^[\x21-\x7e]{1,20000}$/);
const url = z.url({ protocol: /^https?$/, error: "must be an address" }).max(2_000)
  .regex(/^[^@\s]+$/); // no name and password
/** Part of host names. */
const region = z.string().regex(/^[a-z0-9-]{1,40}$/, "must be a region such as eu-central-1");
const path = text.max(4_096);

/** Settings of every source of AWS. */
const ofAws = {
  /** Region of the token service, if it differs from the upstream's. */
  region: region.optional(),
  /** Address of the token service, if it differs from the region's. */
  stsEndpoint: url.optional(),
  roleSessionName: z.string().regex(/^[\w+=,.@-]{2,64}$/).optional(),
  /** False: each request is signed, instead of a Bedrock bearer token once in some hours. */
  mint: z.boolean().optional(),
};

const aws = z.strictObject({
  type: z.literal("aws"),
  accessKeyId: word,
  secretAccessKey: word,
  sessionToken: word.optional(),
  /** The role that the keys assume; absent: the keys themselves sign. */
  roleArn: word.optional(),
  externalId: word.optional(),
  ...ofAws,
});

const awsWebIdentity = z.strictObject({
  type: z.literal("aws_web_identity"),
  /** Absent: the environment's `AWS_ROLE_ARN`. */
  roleArn: word.optional(),
  /** Absent: the environment's `AWS_WEB_IDENTITY_TOKEN_FILE`. */
  tokenFile: path.optional(),
  ...ofAws,
});

/** The keys of the environment, a pod, a task of ECS or an instance of EC2. */
const awsMachine = z.strictObject({
  type: z.literal("aws_machine"),
  /** The role that the machine assumes; absent: its own keys sign. */
  roleArn: word.optional(),
  externalId: word.optional(),
  ...ofAws,
});

/** Google's files have further members, which are kept. */
const serviceAccount = z.looseObject({
  type: z.literal("service_account"),
  client_email: text,
  private_key: text,
  private_key_id: text.optional(),
  token_uri: url.optional(),
  quota_project_id: text.optional(),
});

const authorizedUser = z.looseObject({
  type: z.literal("authorized_user"),
  client_id: text,
  client_secret: text,
  refresh_token: text,
  token_uri: url.optional(),
  quota_project_id: text.optional(),
});

/** Where the token of the foreign identity is: a file, an address, or AWS's own keys. */
const subjectSource = z.looseObject({
  file: path.optional(),
  url: url.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  format: z.looseObject({
    type: z.enum(["text", "json"]).optional(),
    subject_token_field_name: text.optional(),
  }).optional(),
  environment_id: z.literal("aws1").optional(),
  regional_cred_verification_url: text.optional(),
}).refine((source) =>
  source.environment_id === undefined
    ? source.file !== undefined || source.url !== undefined
    : URL.canParse(source.regional_cred_verification_url ?? "")
);

const externalAccount = z.looseObject({
  type: z.literal("external_account"),
  audience: text,
  subject_token_type: text,
  token_url: url,
  credential_source: subjectSource,
  service_account_impersonation_url: url.optional(),
  service_account_impersonation: z.looseObject({
    token_lifetime_seconds: z.int().min(600).max(43_200).optional(),
  }).optional(),
  quota_project_id: text.optional(),
});

const googleMetadata = z.strictObject({
  type: z.literal("google_metadata"),
  /** Absent: `default`. */
  serviceAccount: z.string().regex(/^\w[\w.@-]{0,199}$/).optional(),
});

const entra = z.strictObject({
  type: z.literal("entra"),
  /** Absent: the environment's `AZURE_TENANT_ID`; so are `clientId` and `federatedTokenFile`. */
  tenantId: z.string().regex(/^\w[\w.-]{0,199}$/).optional(),
  clientId: text.optional(),
  clientSecret: text.optional(),
  federatedTokenFile: path.optional(),
  /** Absent: the one of the upstream's surface. */
  scope: text.optional(),
  /** Absent: the environment's `AZURE_AUTHORITY_HOST`, or Azure's public cloud. */
  authority: url.optional(),
});

const entraManagedIdentity = z.strictObject({
  type: z.literal("entra_managed_identity"),
  /** Of an identity that a user assigned; absent: the machine's own. */
  clientId: text.optional(),
  scope: text.optional(),
});

/** A credential that is no secret to send, but says how to get a token or keys to sign with. */
export const credentialSource = z.discriminatedUnion("type", [
  aws,
  awsWebIdentity,
  awsMachine,
  serviceAccount,
  authorizedUser,
  externalAccount,
  googleMetadata,
  entra,
  entraManagedIdentity,
]);

export type CredentialSource = z.infer<typeof credentialSource>;

/** The names of the kinds of sources. */
type SourceType = CredentialSource["type"];

/** A source of one kind. */
export type SourceOf<Type extends SourceType> = Extract<CredentialSource, { readonly type: Type }>;

export type AwsSource = SourceOf<"aws" | "aws_web_identity" | "aws_machine">;

export function isOfAws(source: CredentialSource): source is AwsSource {
  return source.type === "aws" || source.type.startsWith("aws_");
}

/**
 * The JSON of a text that is a credential source, and empty for one that was not pasted whole:
 * it must not go out as a bearer token. Undefined for a static secret.
 */
function sourceIn(secret: string): JsonObject | undefined {
  return /^\s*[{[]/.test(secret) ? objectIn(secret) ?? {} : undefined;
}

/**
 * Reads a credential: a source, or undefined for a static secret. Throws `upstream_unauthorized` for
 * an invalid source, which must not be sent as it is.
 */
export function readCredentialSource(secret: string): CredentialSource | undefined {
  const value = sourceIn(secret);
  if (value === undefined) return undefined;
  const parsed = credentialSource.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new GatewayError(
    "upstream_unauthorized",
    `Cannot use the upstream's credential: ${
      faultIn(parsed.error)
    }. An administrator must replace it`,
  );
}

/** Far longer than the files of clouds. */
const sourceCharsMax = 30_000;

/** A credential as it is stored, or the fault that keeps it from being one. */
type CheckedCredential = { readonly secret: string } | { readonly fault: string };

/**
 * Checks a credential that somebody entered: printable characters without spaces, or the JSON of a
 * source, which is stored on one line.
 */
export function checkedCredential(entered: string): CheckedCredential {
  const value = sourceIn(entered);
  if (value !== undefined) {
    const parsed = credentialSource.safeParse(value);
    const stored = JSON.stringify(parsed.data ?? {});
    if (parsed.success && stored.length <= sourceCharsMax) return { secret: stored };
    const fault = parsed.success ? "it is too long" : faultIn(parsed.error);
    return { fault: `must be a whole credential source: ${fault}` };
  }
  const secret = entered.trim();
  return /^[\x21-\x7e]+$/.test(secret)
    ? { secret }
    : { fault: "must be a credential: printable characters without spaces" };
}

/** Names the first wrong member, without its value. */
function faultIn({ issues }: z.ZodError): string {
  const [issue] = issues;
  const where = issue?.path.join(".");
  if (issue?.code === "unrecognized_keys") return `${issue.keys[0]} is not a member of it`;
  return `${where === "" ? "its JSON" : where} is missing or wrong`;
}

const secretMembers = [
  "accessKeyId",
  "secretAccessKey",
  "sessionToken",
  "externalId",
  "clientSecret",
  "private_key",
  "client_secret",
  "refresh_token",
];

/** The texts in a credential that no message may show: the secret itself, or members of the source. */
export function secretsOf(secret: string): readonly string[] {
  const source = sourceIn(secret);
  if (source?.type === undefined) return [secret];
  const members = secretMembers.map((name) => source[name]);
  return members.filter((member) => typeof member === "string");
}

/** The fault of credentials that its upstream cannot use; undefined if it can use all. */
export function misplacedCredential(
  secrets: readonly string[],
  cloud: Cloud | undefined,
): string | undefined {
  const isAws = secrets.map(sourceIn).some((source) => `${source?.type}`.startsWith("aws"));
  return isAws && !(cloud && signingOf({ cloud }))
    ? "must be of an upstream with a surface of AWS and a region, which keys of AWS sign for"
    : undefined;
}

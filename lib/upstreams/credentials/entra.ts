import { formOf } from "./ask.ts";
import {
  type Get,
  machineOf,
  type SourceContext,
  tokenFile,
  variableFile,
  variableOf,
} from "./context.ts";
import type { SourceOf } from "./source.ts";
import { tokenIn } from "./token.ts";

/** Azure OpenAI's, which most resources accept. */
const usualScope = "https://cognitiveservices.azure.com/.default";
const publicCloud = "https://login.microsoftonline.com";
const metadata = "http://169.254.169.254/metadata/identity/oauth2/token";

/** A token of Entra for an application, by its secret or by a federated token. */
export const entraToken: Get<SourceOf<"entra">, string> = async (source, context) => {
  const authority = source.authority ??
    (source.tenantId ? undefined : context.machine.variables.AZURE_AUTHORITY_HOST) ?? publicCloud;
  const tenant = source.tenantId ?? variableOf("AZURE_TENANT_ID", context);
  const request = formOf({
    grant_type: "client_credentials",
    client_id: source.clientId ?? variableOf("AZURE_CLIENT_ID", context),
    scope: source.scope ?? context.scope ?? usualScope,
    ...await proofOf(source, context),
  });
  const url = `${authority.replace(/\/$/, "")}/${tenant}/oauth2/v2.0/token`;
  const answer = await context.ask({ url, origin: context.origin, ...request });
  return tokenIn(answer, context.now());
};

async function proofOf(
  { clientSecret, federatedTokenFile }: SourceOf<"entra">,
  context: SourceContext,
): Promise<Record<string, string>> {
  if (clientSecret !== undefined) return { client_secret: clientSecret };
  const assertion = federatedTokenFile === undefined
    ? await variableFile("AZURE_FEDERATED_TOKEN_FILE", context)
    : await tokenFile(federatedTokenFile, context);
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
}

/** A token of the identity of a virtual machine, or of an app of App Service. */
export const managedIdentityToken: Get<SourceOf<"entra_managed_identity">, string> = async (
  { clientId, scope },
  context,
) => {
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: secret } = machineOf(context).variables;
  const isApp = endpoint !== undefined && secret !== undefined;
  const search = new URLSearchParams({
    "api-version": isApp ? "2019-08-01" : "2018-02-01",
    resource: (scope ?? context.scope ?? usualScope).replace(/\/\.default$/, ""),
    ...(clientId !== undefined && { client_id: clientId }),
  });
  const answer = await context.ask({
    url: `${isApp ? endpoint : metadata}?${search}`,
    origin: "config",
    method: "GET",
    headers: isApp ? { "x-identity-header": secret } : { metadata: "true" },
  });
  return tokenIn(answer, context.now());
};

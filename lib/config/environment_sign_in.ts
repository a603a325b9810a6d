import type { Environment } from "./environment.ts";
import { ConfigError } from "./error.ts";
import {
  type ProviderInput,
  type ProviderOfFile,
  signInPresets,
  signInProviderSchema,
} from "./sign_in.ts";

const variableOf: Readonly<Record<string, keyof Environment>> = {
  issuer: "TESSERA_SSO_ISSUER",
  clientId: "TESSERA_SSO_CLIENT_ID",
  clientSecret: "TESSERA_SSO_CLIENT_SECRET",
  domains: "TESSERA_SSO_DOMAINS",
};

/**
 * Returns the sign-in provider that the environment adds to the file. A provider of the file with
 * the same id takes precedence.
 */
export function environmentSignIn(
  environment: Environment,
  idsInFile: ReadonlySet<string>,
): ProviderOfFile[] {
  const provider = providerIn(environment);
  if (provider === undefined || idsInFile.has(provider.id)) return [];
  const parsed = signInProviderSchema.safeParse(provider);
  if (parsed.success) return [parsed.data];
  throw new ConfigError(
    parsed.error.issues.map(({ path: [field], message }) =>
      `${variableOf[String(field)] ?? "TESSERA_SSO_ISSUER"} ${message}`
    ),
  );
}

/** The issuer is an address, or the name of a preset, which is the provider's id then. */
function providerIn(environment: Environment): ProviderInput | undefined {
  const { TESSERA_SSO_ISSUER: issuer, TESSERA_SSO_CLIENT_ID: clientId } = environment;
  if (issuer === undefined || clientId === undefined) return undefined;
  const preset = signInPresets.find((name) => name === issuer.toLowerCase());
  return {
    ...(preset ? { id: preset, preset } : { id: "sso", issuer, name: URL.parse(issuer)?.hostname }),
    clientId,
    clientSecret: environment.TESSERA_SSO_CLIENT_SECRET,
    domains: environment.TESSERA_SSO_DOMAINS,
  };
}

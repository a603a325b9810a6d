import { z } from "zod";
import { editDistance, hasHidden } from "../canonical/mod.ts";
import { isMailAddress, smtpUrl } from "./email.ts";
import { ConfigError } from "./fault.ts";
import {
  callLogField,
  credential,
  isAddressBlock,
  isOrigin,
  isPageOrigin,
  metricsToken,
  must,
  pageOriginOf,
} from "./fields.ts";
import { machineVariables } from "./machine.ts";
import { passwordFault, passwordLengthMax, passwordLengthMin } from "./password.ts";
import {
  type ProviderInput,
  type ProviderOfFile,
  signInPresets,
  signInProviderSchema,
} from "./sign_in.ts";
import { type UpstreamOfFile, upstreamSchema } from "./upstream.ts";

const portText = "an integer from 0 to 65535";
const emailText = "an e-mail address";
const passwordText = `a password of ${passwordLengthMin} to ${passwordLengthMax} characters`;
const secretText = "a secret of at least 8 characters";
const stripeKeyText = "a secret key of Stripe (sk_…) or a restricted one (rk_…)";
const whsecText = "the signing secret of a Stripe webhook (whsec_…)";
const originText = "an address without a path, such as http://127.0.0.1:12111";
const proxiesText = "addresses or blocks of them, such as 10.0.0.0/8,203.0.113.7";
const originsText = "origins such as https://app.example.com,http://localhost:5173, or *";
const ollamaText = "an address such as 127.0.0.1:11434 or http://ollama.internal:11434";

const machineFields = Object.fromEntries(
  machineVariables.map((name) => [name, z.string().optional()]),
) as Record<typeof machineVariables[number], z.ZodOptional<z.ZodString>>; // one for each name

/** All environment variables that the gateway reads. */
export const environmentSchema = z.strictObject({
  ...machineFields,
  PORT: z.string().regex(/^\d{1,5}$/, must(portText)).transform(Number)
    .refine((port) => port <= 65_535, must(portText)).default(8_000),
  HOST: z.string().regex(/^\S+$/, must("an address to listen on, such as 127.0.0.1 or 0.0.0.0"))
    .optional(),
  TESSERA_KV: z.string().optional(),
  TESSERA_SECRET: z.string().min(8, must(secretText)).optional(),
  TESSERA_FORMER_SECRETS: z.string()
    .transform((text) => text.split(/\s+/).filter(Boolean)).optional(),
  TESSERA_ADMIN_EMAIL: z.string().trim().toLowerCase()
    .regex(/^[^\s@]+@[^\s@]+$/, must(emailText)).max(254, must(emailText))
    .refine((email) => !hasHidden(email), must(emailText)).optional(),
  TESSERA_ADMIN_PASSWORD: z.string()
    .refine((text) => passwordFault(text) === undefined, must(passwordText)).optional(),
  TESSERA_CONFIG: z.string().optional(),
  TESSERA_TRUSTED_PROXIES: z.string()
    .transform((text) => text.split(",").map((block) => block.trim()).filter(Boolean))
    .refine((blocks) => blocks.every(isAddressBlock), must(proxiesText)).optional(),
  TESSERA_CALL_LOG: callLogField.optional(),
  TESSERA_METRICS_TOKEN: metricsToken.optional(),
  TESSERA_CORS_ORIGINS: z.string()
    .transform((text) => text.split(",").map((origin) => origin.trim()).filter(Boolean))
    .refine((origins) => origins.every(isPageOrigin), must(originsText))
    .transform((origins) => origins.map(pageOriginOf)).optional(),
  TESSERA_SSO_ISSUER: z.string().trim().optional(),
  TESSERA_SSO_CLIENT_ID: credential.optional(),
  TESSERA_SSO_CLIENT_SECRET: credential.optional(),
  TESSERA_SSO_DOMAINS: z.string()
    .transform((text) => text.split(",").map((domain) => domain.trim()).filter(Boolean)).optional(),
  TESSERA_SMTP_URL: smtpUrl.optional(),
  TESSERA_SMTP_FROM: z.string().trim().refine(isMailAddress, must(emailText)).optional(),
  OPENAI_API_KEY: credential.optional(),
  ANTHROPIC_API_KEY: credential.optional(),
  GEMINI_API_KEY: credential.optional(),
  OLLAMA_HOST: z.string().trim().transform((text, context) => {
    const url = ollamaUrl(text);
    if (url !== undefined) return url;
    context.addIssue({ code: "custom", message: `must be ${ollamaText}` });
    return z.NEVER;
  }).optional(),
  STRIPE_SECRET_KEY: z.string().trim().regex(/^(sk|rk)_[\x21-\x7e]+$/, must(stripeKeyText))
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().trim().regex(/^whsec_[\x21-\x7e]+$/, must(whsecText))
    .optional(),
  STRIPE_API_BASE: z.string().trim().refine(isOrigin, must(originText)).optional(),
  /** Set by Deno Deploy, in builds too; see `isOnDeploy`. */
  DENO_DEPLOY: z.string().optional(),
  /** Set by Deno Deploy, but not in builds. */
  DENO_TIMELINE: z.string().optional(),
  /** Set by Deno Deploy in builds. */
  CI: z.string().optional(),
}).superRefine((environment, context) => {
  const pairs = [
    ["TESSERA_ADMIN_EMAIL", "TESSERA_ADMIN_PASSWORD"],
    ["TESSERA_ADMIN_PASSWORD", "TESSERA_ADMIN_EMAIL"],
    ["TESSERA_SSO_ISSUER", "TESSERA_SSO_CLIENT_ID"],
    ["TESSERA_SSO_CLIENT_ID", "TESSERA_SSO_ISSUER"],
    ["TESSERA_SSO_CLIENT_SECRET", "TESSERA_SSO_ISSUER"],
    ["TESSERA_SSO_DOMAINS", "TESSERA_SSO_ISSUER"],
    ["TESSERA_SMTP_URL", "TESSERA_SMTP_FROM"],
    ["TESSERA_SMTP_FROM", "TESSERA_SMTP_URL"],
    ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
    ["STRIPE_WEBHOOK_SECRET", "STRIPE_SECRET_KEY"],
    ["STRIPE_API_BASE", "STRIPE_SECRET_KEY"],
  ] as const;
  for (const [given, missing] of pairs) {
    if (environment[given] === undefined || environment[missing] !== undefined) continue;
    context.addIssue({
      code: "custom",
      path: [missing],
      message: `must be set together with ${given}`,
    });
  }
});

export type Environment = z.infer<typeof environmentSchema>;

/**
 * Returns true if the process runs as an app on Deno Deploy. A build has no database, and its
 * `DENO_DEPLOYMENT_ID` is not evidence of a running app.
 */
export function isOnDeploy({ DENO_DEPLOY, DENO_TIMELINE, CI }: Environment): boolean {
  const isBuild = CI !== undefined && DENO_TIMELINE === undefined;
  return DENO_DEPLOY !== undefined && !isBuild;
}

export const environmentNames = Object.keys(environmentSchema.shape);

/** Picks our variables. Empty ones count as not set. */
export function pickEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of environmentNames) {
    const value = env[name];
    if (value !== undefined && value.trim() !== "") picked[name] = value;
  }
  return picked;
}

/** Variables that look like misspelled names of ours, which would otherwise be ignored. */
export function misspelled(env: Readonly<Record<string, string>>): string[] {
  const ours = environmentNames.filter((name) => name.startsWith("TESSERA_"));
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith("TESSERA_") || ours.includes(name)) return [];
    const meant = ours.find((one) => editDistance(name, one) <= 2);
    return meant === undefined ? [] : [`${name} is not known; did you mean ${meant}?`];
  });
}

/**
 * Reads the address as Ollama does: a bare host gets port 11434, and "all addresses" means this
 * machine.
 */
function ollamaUrl(text: string): string | undefined {
  const bare = !/^https?:\/\//.test(text);
  const url = URL.parse(bare ? `http://${text}` : text);
  if (url === null || url.hostname === "" || url.search !== "" || url.hash !== "") return undefined;
  const port = url.port === "" && bare && !/:80$/.test(text) ? "11434" : url.port;
  const host = url.hostname === "0.0.0.0" ? "127.0.0.1" : url.hostname;
  const path = url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "");
  return `${url.protocol}//${host}${port === "" ? "" : `:${port}`}${path}`;
}

type UpstreamInput = z.input<typeof upstreamSchema>;

/** Upstreams that one variable declares: the preset, and the field that takes the value. */
const upstreamOf = {
  OPENAI_API_KEY: (value) => ({ id: "openai", preset: "openai", apiKeys: [value] }),
  ANTHROPIC_API_KEY: (value) => ({ id: "anthropic", preset: "anthropic", apiKeys: [value] }),
  GEMINI_API_KEY: (value) => ({ id: "gemini", preset: "google", apiKeys: [value] }),
  OLLAMA_HOST: (value) => ({ id: "ollama", preset: "ollama", baseUrl: value }),
} as const satisfies Partial<Record<keyof Environment, (value: string) => UpstreamInput>>;

/**
 * Returns the upstreams that the environment adds to the file. An upstream of the file with the
 * same id takes precedence.
 */
export function environmentUpstreams(
  environment: Environment,
  idsInFile: ReadonlySet<string>,
): UpstreamOfFile[] {
  const names = Object.keys(upstreamOf) as (keyof typeof upstreamOf)[]; // the table's own keys
  return names.flatMap((name) => {
    const value = environment[name];
    const upstream = value === undefined ? undefined : upstreamOf[name](value);
    if (upstream === undefined || idsInFile.has(upstream.id)) return [];
    const parsed = upstreamSchema.safeParse(upstream);
    if (parsed.success) return [parsed.data];
    throw new ConfigError(parsed.error.issues.map(({ message }) => `${name} ${message}`));
  });
}

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

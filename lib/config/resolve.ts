import type { DeclaredGroup, DeclaredKey, DeclaredRecords } from "../store/catalog/declared.ts";
import type { StoreLocation } from "../store/kv/open.ts";
import type { Bounds } from "../store/money/budget.ts";
import type { MailServer } from "../store/mail/mod.ts";
import { type AlertSettings, alertSettings } from "./alerts.ts";
import { environmentEmail, mailServer } from "./email.ts";
import {
  type Environment,
  environmentSignIn,
  environmentUpstreams,
  isOnDeploy,
} from "./environment.ts";
import { ConfigError } from "./fault.ts";
import { isLoopbackHost } from "./fields.ts";
import type { Limits } from "./limits.ts";
import { type LogArchiveSettings, logArchiveSettings } from "./log_archive.ts";
import { type MachineSettings, machineSettings } from "./machine.ts";
import type { PriceFeedSettings } from "./price_feed.ts";
import type { ConfigFile, GroupOfFile, KeyOfFile } from "./schema.ts";
import { signInProvider, type SignInSettings } from "./sign_in.ts";
import { declaredUpstream, present } from "./upstream.ts";

/** The two values from Stripe's dashboard. Both are secrets. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Replaces the address of Stripe's API, for tests. */
  readonly apiBase?: string;
}

/** The whole configuration, resolved and frozen. Holds secrets: never log it. */
export interface Config extends DeclaredRecords {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly store: StoreLocation;
  /** Seals credentials at rest. If absent, a local store creates its own. */
  readonly secret?: string;
  /** Secrets before it, newest first: they open what they sealed. */
  readonly formerSecrets: readonly string[];
  /** IANA name of the default time zone: budgets without a zone reset at its midnight. */
  readonly timeZone: string;
  readonly alerts: AlertSettings;
  /** The mail server; absent: the console's, if one is set up there. */
  readonly email?: MailServer;
  readonly priceFeed: PriceFeedSettings;
  readonly signIn: SignInSettings;
  /** The payment settings; absent if only codes and grants add money. */
  readonly stripe?: StripeSettings;
  readonly limits: Limits;
  /** The archive of the log; absent if calls expire. */
  readonly logArchive?: LogArchiveSettings;
  /** Retention of calls in the store; infinite if they move to an archive. */
  readonly logRetentionMs: number;
  /** The time for interrupted answers to send their error and store their row at a stop. */
  readonly lastWordsMs: number;
  /** True if responses are stored unless the request says otherwise. */
  readonly storeResponsesByDefault: boolean;
  /** True if clients may open WebSockets. */
  readonly sockets: boolean;
  /** The request for a summary with which the gateway compacts conversations. */
  readonly compactionPrompt: string;
  /** The policy for Claude Code that signed in to the gateway, in the form of its own settings. */
  readonly managedSettings?: ConfigFile["managedSettings"];
  /** True if upstreams added in the console may have private addresses. */
  readonly allowPrivateUpstreams: boolean;
  /** The identity of the machine, for credentials of clouds. */
  readonly machine: MachineSettings;
  /** The console's origin for browsers; if absent, the origin of each request. */
  readonly publicUrl?: string;
  /** Addresses and CIDR blocks of proxies that are trusted to report the client's address. */
  readonly trustedProxies: readonly string[];
  readonly metricsAccess: {
    /** Opens `/metrics` to callers elsewhere. Secret. */
    readonly token?: string;
    /** True if callers on this machine need no token. */
    readonly isOpenToThisMachine: boolean;
  };
  /** `json` writes a line for each ended call to standard output. */
  readonly callLog: "off" | "json";
  /** Origins of pages that may call the API from a browser; `*` means all. */
  readonly corsOrigins: readonly string[];
  /**
   * True if only this machine reaches the server, because it listens on the loopback and no proxy
   * is configured. Upstreams added in the console may then be on this machine.
   */
  readonly servesOnlyThisMachine: boolean;
  /** True in an app on Deno Deploy, which listens at an address that nobody else can use. */
  readonly isOnDeploy: boolean;
}

/** Converts the parsed file and environment to the program's own configuration. */
export function resolveConfig(environment: Environment, file: ConfigFile): Config {
  const idsInFile = new Set(file.upstreams.map((upstream) => upstream.id));
  const added = environmentUpstreams(environment, idsInFile);
  return frozen({
    host: hostOf(environment),
    port: environment.PORT,
    store: storeLocation(environment),
    ...present({
      secret: environment.TESSERA_SECRET,
      administrator: administrator(environment),
      stripe: stripe(environment),
      publicUrl: file.publicUrl,
      email: file.email
        ? mailServer(file.email)
        : environmentEmail(environment.TESSERA_SMTP_URL, environment.TESSERA_SMTP_FROM),
      managedSettings: file.managedSettings,
    }),
    formerSecrets: environment.TESSERA_FORMER_SECRETS ?? [],
    upstreams: [...file.upstreams, ...added].map(declaredUpstream),
    models: file.models,
    groups: file.groups.map(declaredGroup),
    keys: file.keys.map(declaredKey),
    timeZone: file.timeZone,
    alerts: alertSettings(file.alerts),
    priceFeed: file.priceFeed,
    signIn: signInSettings(environment, file.signIn),
    ...stopTimes(environment, file.limits),
    ...logTimes(environment, file),
    storeResponsesByDefault: file.storeResponsesByDefault,
    sockets: file.sockets,
    compactionPrompt: file.compactionPrompt,
    allowPrivateUpstreams: file.allowPrivateUpstreams,
    machine: machineSettings(environment, file.allowMachineIdentity),
    trustedProxies: environment.TESSERA_TRUSTED_PROXIES ?? file.trustedProxies,
    metricsAccess: {
      ...present({ token: environment.TESSERA_METRICS_TOKEN ?? file.metricsToken }),
      isOpenToThisMachine: !isOnDeploy(environment),
    },
    callLog: environment.TESSERA_CALL_LOG ?? file.callLog,
    corsOrigins: environment.TESSERA_CORS_ORIGINS ?? file.cors.origins,
    servesOnlyThisMachine: servesOnlyThisMachine(environment, file),
    isOnDeploy: isOnDeploy(environment),
  });
}

/** On Deno Deploy all addresses of the isolate, because its proxy may not use the loopback. */
function hostOf(environment: Environment): string {
  return environment.HOST ?? (isOnDeploy(environment) ? "0.0.0.0" : "127.0.0.1");
}

/** Deno Deploy kills an isolate 5 seconds after SIGINT, so the whole stop must take less. */
const deployStop = { stopGraceMsMax: 2_500, lastWordsMs: 1_000 } as const;

function stopTimes(
  environment: Environment,
  limits: ConfigFile["limits"],
): Pick<Config, "limits" | "lastWordsMs"> {
  if (!isOnDeploy(environment)) return { limits, lastWordsMs: 5_000 };
  const stopGraceMs = Math.min(limits.stopGraceMs, deployStop.stopGraceMsMax);
  return { limits: { ...limits, stopGraceMs }, lastWordsMs: deployStop.lastWordsMs };
}

/** Without a provider only the owner could sign in at all. */
function signInSettings(
  environment: Environment,
  { local, providers }: ConfigFile["signIn"],
): Config["signIn"] {
  const added = environmentSignIn(environment, new Set(providers.map((provider) => provider.id)));
  const all = [...providers, ...added].map(signInProvider);
  if (local === "everyone" || all.length > 0) return { local, providers: all };
  throw new ConfigError(["signIn.local must be everyone unless signIn.providers has a provider"]);
}

const dayMs = 86_400_000;

/** The files of Deno Deploy are read-only. */
function logTimes(
  environment: Environment,
  { limits, logArchive }: ConfigFile,
): Pick<Config, "logArchive" | "logRetentionMs"> {
  if (!logArchive) return { logRetentionMs: limits.logRetentionDays * dayMs };
  if (isOnDeploy(environment) && logArchive.folder !== undefined) {
    throw new ConfigError(["logArchive must have s3 on Deno Deploy, where no folder is durable"]);
  }
  return { logArchive: logArchiveSettings(logArchive), logRetentionMs: Infinity };
}

/**
 * On Deno Deploy the listen address proves nothing, and a local proxy admits others through the
 * loopback.
 */
function servesOnlyThisMachine(
  environment: Environment,
  { publicUrl, trustedProxies }: ConfigFile,
): boolean {
  const hasProxy = (environment.TESSERA_TRUSTED_PROXIES ?? trustedProxies).length > 0;
  const isPublic = publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname);
  return !isOnDeploy(environment) && isLoopbackHost(hostOf(environment)) && !hasProxy && !isPublic;
}

function storeLocation(environment: Environment): StoreLocation {
  const location = locationIn(environment);
  const isShared = location.type !== "file" && location.type !== "memory";
  if (!isShared || environment.TESSERA_SECRET !== undefined) return location;
  throw new ConfigError([
    "TESSERA_SECRET must be set to the same value in all processes that share the store",
  ]);
}

function locationIn(environment: Environment): StoreLocation {
  const { TESSERA_KV: kv } = environment;
  if (kv === undefined && isOnDeploy(environment)) return { type: "attached" };
  const place = kv?.trim() ?? "data/tessera.db";
  if (place === ":memory:") return { type: "memory" };
  if (/^https?:\/\//.test(place)) return { type: "server", url: place };
  if (/^postgres(ql)?:\/\//.test(place)) return { type: "postgres", url: place };
  if (!/^[a-z]{2,}:\/\//i.test(place)) return { type: "file", path: place };
  throw new ConfigError([
    "TESSERA_KV must be a path, :memory:, postgres://… or a KV Connect URL (https://…)",
  ]);
}

function administrator(
  { TESSERA_ADMIN_EMAIL: email, TESSERA_ADMIN_PASSWORD: password }: Environment,
): Config["administrator"] {
  return email === undefined || password === undefined ? undefined : { email, password };
}

function stripe(
  {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: apiBase,
  }: Environment,
): Config["stripe"] {
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  return { secretKey, webhookSecret, ...present({ apiBase }) };
}

function declaredGroup({ budget, ...group }: GroupOfFile): DeclaredGroup {
  return { ...group, ...present({ budgets: budgetsOf(budget) }) };
}

function declaredKey({ group, expiresAt, budget, ...key }: KeyOfFile): DeclaredKey {
  return {
    ...key,
    groupId: group,
    ...present({
      expiresAtMs: expiresAt === undefined ? undefined : Date.parse(expiresAt),
      budgets: budgetsOf(budget),
    }),
  };
}

/**
 * Converts without loss: the schema bounds each amount so that its nano-dollars are exact in a
 * double.
 */
function budgetsOf(budget: KeyOfFile["budget"]): Bounds["budgets"] {
  return budget && [budget].flat().map(({ usd, ...when }) => ({
    nanoUsd: BigInt(Math.round(usd * 1e9)),
    ...when,
  }));
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

import type { Declared } from "../store/catalog/declared.ts";
import type { StoreLocation } from "../store/kv/open.ts";
import type { AlertSettings } from "./alerts.ts";
import type { Limits } from "./limits.ts";
import type { LogArchiveSettings } from "./log_archive.ts";
import type { SignInSettings } from "./sign_in.ts";

/** The two values from Stripe's dashboard. Both are secrets. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Replaces the address of Stripe's API, for tests. */
  readonly apiBase?: string;
}

/** The whole configuration, resolved and frozen. Holds secrets: never log it. */
export interface Config extends Declared {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly store: StoreLocation;
  /** Seals credentials at rest. If absent, a local store creates its own. */
  readonly secret?: string;
  /** IANA name of the default time zone: budgets without a zone reset at its midnight. */
  readonly timeZone: string;
  readonly alerts: AlertSettings;
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
  /** True if upstreams added in the console may have private addresses. */
  readonly allowPrivateUpstreams: boolean;
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

import type { Declared } from "../store/catalog/declared.ts";
import type { StoreLocation } from "../store/kv/open.ts";
import type { AlertSettings } from "./alerts.ts";
import type { Limits } from "./limits.ts";

/** As Stripe's dashboard gives them. Both are secrets. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Instead of Stripe's own address, for tests. */
  readonly apiBase?: string;
}

/** Everything that can be set, resolved and frozen. Holds secrets: never log it. */
export interface Config extends Declared {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly store: StoreLocation;
  /** Seals credentials at rest; absent means that a local store keeps its own. */
  readonly secret?: string;
  /** IANA name: at whose midnight budgets reset that name no zone of their own. */
  readonly timeZone: string;
  readonly alerts: AlertSettings;
  /** The payment settings; absent if only codes and grants add money. */
  readonly stripe?: StripeSettings;
  readonly limits: Limits;
  /** True if responses are stored unless the request says otherwise. */
  readonly storeResponsesByDefault: boolean;
  /** True if upstreams added in the console may have private addresses. */
  readonly allowPrivateUpstreams: boolean;
  /** Where browsers find the console, as an origin; absent: where each one says that it is. */
  readonly publicUrl?: string;
  /** Addresses and blocks of proxies whose word on who calls counts. */
  readonly trustedProxies: readonly string[];
  /** Origins of pages that may call the API from a browser; `*` is all of them. */
  readonly corsOrigins: readonly string[];
  /**
   * True if only this machine reaches the server: it listens on the loopback and no proxy is
   * configured. Then upstreams added in the console may be on this machine.
   */
  readonly servesOnlyThisMachine: boolean;
}

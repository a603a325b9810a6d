import { type LocalSignIn, Passwords, SingleSignOn } from "../accounts/mod.ts";
import type { Alerts } from "../alerts/mod.ts";
import type { ArchivePlace } from "../archive/mod.ts";
import type { Config } from "../config.ts";
import type { Payments } from "../funds/mod.ts";
import type { CallGateway } from "../gateway/console_call.ts";
import type { PriceRefresh } from "../prices/mod.ts";
import type { Health } from "../routing/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import type { Store } from "../store/mod.ts";
import type { RuntimeCheck } from "../telemetry/mod.ts";
import type { AddressRule, Send } from "../upstreams/mod.ts";

/** Access to upstreams: their health in this isolate, and the way to call them. */
export interface UpstreamServices {
  readonly health: Pick<Health, "snapshot" | "status" | "observed" | "running">;
  readonly send: Send;
  /** The networks in which upstreams of the console are allowed. */
  readonly addresses: AddressRule;
}

/** The services behind the console's pages and the management API. */
export interface AdminServices {
  readonly store: Store;
  readonly directory: Directory;
  /** The archive of the log; absent if calls expire. */
  readonly archive?: ArchivePlace;
  /** `timeZone`: the zone of budgets that name none; default: UTC. */
  readonly config:
    & Pick<Config, "limits">
    & Partial<
      Pick<
        Config,
        | "timeZone"
        | "publicUrl"
        | "alerts"
        | "email"
        | "logArchive"
        | "signIn"
        | "store"
        | "compactionPrompt"
      >
    >;
  /** Absent if payments are not set up. */
  readonly payments?: Payments;
  /** Fetches the feed of prices; absent if the console runs without a gateway. */
  readonly prices?: Pick<PriceRefresh, "refresh">;
  /** Sends mails, and tests of mails and webhooks; absent if the console runs without a gateway. */
  readonly alerts?: Pick<Alerts, "test"> & Partial<Pick<Alerts, "testMail" | "mail">>;
  /** Absent if the console runs without a gateway. */
  readonly upstreams?: UpstreamServices;
  /**
   * Calls the gateway for the signed-in account, without a secret; absent if the console runs
   * without a gateway.
   */
  readonly callGateway?: CallGateway;
  /**
   * Answers a request like one from outside; undefined for one that is not the API's. Absent if the
   * console runs without a gateway.
   */
  readonly answerApi?: (
    request: Request,
    info: Deno.ServeHandlerInfo,
  ) => Response | Promise<Response> | undefined;
  /** Absent if the console runs without a server. */
  readonly runtime?: Pick<RuntimeCheck, "fault">;
  readonly passwords: Passwords;
  /** The configured sign-in providers; may have none. */
  readonly sso: SingleSignOn;
  /** The users who may sign in by password or passkey. */
  readonly localSignIn: LocalSignIn;
  readonly streams: OpenStreams;
  readonly changes: RecentChanges;
  readonly now: () => number;
  /** The lifetime of an unused sign-in. */
  readonly sessionLifetimeMs: number;
}

/** The services that the composition root provides; the others are created here. */
type ProvidedServices =
  & Pick<AdminServices, "store" | "directory" | "config">
  & Partial<Omit<AdminServices, "streams" | "changes" | "sessionLifetimeMs">>;

const dayMs = 86_400_000;

/** Kept here because the generated entry imports the app itself. */
const provided: { services?: AdminServices } = {};

/** Provides the services: before the first request, and again whenever they change. */
export function provideAdmin(services: ProvidedServices): AdminServices {
  return provided.services = {
    passwords: new Passwords(),
    sso: new SingleSignOn(services.config.signIn?.providers ?? []),
    localSignIn: services.config.signIn?.local ?? "everyone",
    streams: new OpenStreams(),
    changes: new RecentChanges(),
    now: Date.now,
    sessionLifetimeMs: services.config.limits.sessionDays * dayMs,
    ...services,
  };
}

/** Undefined before `provideAdmin` is called. */
export function adminServices(): AdminServices | undefined {
  return provided.services;
}

/** Far more than one account ever has open. */
export const streamsOfAccountMax = 24;

/** The number of open streams of each account in this isolate. */
class OpenStreams {
  readonly #counts = new Map<string, number>();

  /** Takes a place and returns a function that frees it; undefined if the account has too many. */
  take(accountId: string): (() => void) | undefined {
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= streamsOfAccountMax) return undefined;
    this.#counts.set(accountId, count + 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#giveBack(accountId);
      isOpen = false;
    };
  }

  #giveBack(accountId: string): void {
    const count = this.#counts.get(accountId) ?? 0;
    if (count > 1) this.#counts.set(accountId, count - 1);
    else this.#counts.delete(accountId);
  }
}

/** Far more than a person or a script posts in a minute. */
export const changesPerMinuteMax = 600;
const minuteMs = 60_000;

/**
 * Limits the forms that each account posts per minute in this isolate, because audit entries are
 * kept for long.
 */
class RecentChanges {
  readonly #counts = new Map<string, number>();
  #endsAtMs = 0;

  /** Counts a form. Returns false if the account has posted too many. */
  take(accountId: string, nowMs: number): boolean {
    if (nowMs >= this.#endsAtMs) {
      this.#counts.clear();
      this.#endsAtMs = nowMs + minuteMs;
    }
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= changesPerMinuteMax) return false;
    this.#counts.set(accountId, count + 1);
    return true;
  }
}

import { type LocalSignIn, Passwords, SingleSignOn } from "../../accounts/mod.ts";
import type { Alerts } from "../../alerts/mod.ts";
import type { ArchivePlace } from "../../archive/mod.ts";
import type { Config } from "../../config.ts";
import type { Payments } from "../../funds/mod.ts";
import type { CallGateway } from "../../gateway/console_call.ts";
import type { Health } from "../../routing/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { RuntimeCheck } from "../../telemetry/mod.ts";
import type { AddressRule, Send } from "../../upstreams/mod.ts";
import { OpenStreams } from "./open_streams.ts";
import { RecentChanges } from "./recent_changes.ts";

/** Access to upstreams: their health in this isolate, and the way to call them. */
export interface UpstreamServices {
  readonly health: Pick<Health, "snapshot" | "status" | "observed" | "running">;
  readonly send: Send;
  /** The networks in which upstreams of the console are allowed. */
  readonly addresses: AddressRule;
}

/** The services behind the console's pages. */
export interface ConsoleServices {
  readonly store: Store;
  readonly directory: Directory;
  /** The archive of the log; absent if calls expire. */
  readonly archive?: ArchivePlace;
  /** `timeZone`: the zone of budgets that name none; default: UTC. */
  readonly config:
    & Pick<Config, "limits">
    & Partial<
      Pick<Config, "timeZone" | "publicUrl" | "alerts" | "logArchive" | "signIn" | "store">
    >;
  /** Absent if payments are not set up. */
  readonly payments?: Payments;
  /** Sends a test event to a webhook; absent if the console runs without a gateway. */
  readonly alerts?: Pick<Alerts, "test">;
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
  ) => Promise<Response> | undefined;
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
  & Pick<ConsoleServices, "store" | "directory" | "config">
  & Partial<
    Pick<
      ConsoleServices,
      | "archive"
      | "payments"
      | "alerts"
      | "upstreams"
      | "callGateway"
      | "answerApi"
      | "runtime"
      | "passwords"
      | "sso"
      | "localSignIn"
      | "now"
    >
  >;

const dayMs = 86_400_000;

/** Stored here until the first request, because the generated entry imports the app itself. */
const provided: { services?: ConsoleServices } = {};

/** Provides the console's services: before the first request, and again whenever they change. */
export function provideConsole(services: ProvidedServices): ConsoleServices {
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

/** Undefined before `provideConsole` is called. */
export function consoleServices(): ConsoleServices | undefined {
  return provided.services;
}

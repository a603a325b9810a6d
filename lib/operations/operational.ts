import { timingSafeEqual } from "node:crypto";
import { BlockList } from "node:net";
import { GatewayError } from "../canonical/mod.ts";
import { codecs } from "../formats/mod.ts";
import type { WebhookResult } from "../funds/mod.ts";
import { readTextBody, type TextLimits } from "../http/body/body.ts";
import { newRequestId } from "../http/call.ts";
import { errorResponse } from "../http/errors.ts";
import type { ApiInfo } from "../http/behind_proxies.ts";
import { storeFaults, type StoreHealth, storeRetryAfterSeconds } from "../store/mod.ts";
import { logLine, type Metrics } from "../telemetry/mod.ts";
import { version } from "../version.ts";
import { deviceEndpoints, type DeviceServices } from "./devices.ts";
import type { ManagementPart } from "./openapi.ts";

/** The callers that may read the metrics. */
interface MetricsAccess {
  /** Opens the metrics for callers elsewhere; absent: nothing does. */
  readonly token?: string;
  /** False where the connection's address proves nothing, as on Deno Deploy. */
  readonly isOpenToThisMachine: boolean;
}

interface Services {
  readonly metrics: Metrics;
  readonly metricsAccess: MetricsAccess;
}

/** `GET /metrics`, for callers on this machine and those with the token. */
async function answerMetrics(
  { metrics, metricsAccess: { token, isOpenToThisMachine } }: Services,
  { headers }: Request,
  { remoteAddr }: Pick<Deno.ServeHandlerInfo, "remoteAddr">,
): Promise<Response> {
  const mayRead = (isOpenToThisMachine && isFromThisMachine(headers, remoteAddr)) ||
    carries(headers, token);
  if (!mayRead) return refused();
  return new Response(await metrics.text(), {
    headers: { "content-type": metrics.contentType, "cache-control": "no-store" },
  });
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4"); // also matches the mapped `::ffff:127.0.0.1`
loopback.addAddress("::1", "ipv6");

const ofProxies = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/** A proxy on this machine connects from the loopback, too, and says that it forwards. */
function isFromThisMachine(headers: Headers, address: Deno.Addr): boolean {
  if (address.transport !== "tcp") return false;
  if ([...headers.keys()].some((name) => ofProxies.test(name))) return false;
  const { hostname } = address;
  return loopback.check(hostname, hostname.includes(":") ? "ipv6" : "ipv4");
}

/** Takes the same time for every wrong token of a length. */
function carries(headers: Headers, token: string | undefined): boolean {
  const [, carried] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (token === undefined || carried === undefined) return false;
  const [known, shown] = [token, carried].map((text) => new TextEncoder().encode(text));
  return known.length === shown.length && timingSafeEqual(known, shown);
}

function refused(): Response {
  const message =
    "Cannot read metrics: only callers on the gateway's own machine may, and callers with its metrics token. Set TESSERA_METRICS_TOKEN at the gateway, and send it as `Authorization: Bearer …`";
  const error = new GatewayError("invalid_api_key", message);
  return errorResponse(error, codecs["chat-completions"], newRequestId(Date.now()), {
    headers: { "www-authenticate": "Bearer" },
  });
}

/** The services behind the operator's addresses, such as health and metrics. */
export interface OperationalServices {
  readonly metrics: Metrics;
  readonly metricsAccess: MetricsAccess;
  /** The result of the store's last probe. */
  readonly storeHealth: Pick<StoreHealth, "fault" | "sinceMs">;
  /** Returns true if the store is healthy and responds within two seconds. */
  readonly isStoreReady: () => Promise<boolean>;
  /** Absent if payments are not configured. */
  readonly takeWebhook?: TakeWebhook;
  /** The sign-in of devices. */
  readonly devices: DeviceServices;
  /** Describes the management API for `/openapi.json`. */
  readonly describeManagement: () => Promise<ManagementPart>;
}

type Answer = (
  services: OperationalServices,
  request: Request,
  info: Pick<ApiInfo, "remoteAddr" | "askedOrigin">,
) => Response | Promise<Response>;

/** Endpoints for operators and for clients that probe the server. They need no API key. */
export const operationalEndpoints: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["GET /healthz", () => new Response("ok\n")],
  ["HEAD /healthz", () => new Response("ok\n")],
  ["GET /readyz", ready],
  ["HEAD /readyz", ready],
  ["GET /version", () => Response.json({ version })],
  ["GET /metrics", answerMetrics],
  ["GET /openapi.json", description],
  ["POST /stripe/webhook", ({ takeWebhook }, request) => answerWebhook(request, takeWebhook)],
  ["HEAD /", () => new Response(null)],
  ["HEAD /api/hello", () => new Response(null)],
  ...[...deviceEndpoints].map(([route, answer]): [string, Answer] => [
    route,
    ({ devices }, request, info) => answer(devices, { request, info }),
  ]),
]);

/** Loads the API's description at its first request. */
async function description(
  { describeManagement }: Pick<OperationalServices, "describeManagement">,
): Promise<Response> {
  const [{ openapi }, management] = await Promise.all([
    import("./openapi.ts"),
    describeManagement(),
  ]);
  return Response.json(openapi(management), { headers: { "access-control-allow-origin": "*" } });
}

async function ready({ storeHealth, isStoreReady }: OperationalServices): Promise<Response> {
  if (await isStoreReady()) return new Response("ready\n");
  const { fault = "silent", sinceMs } = storeHealth;
  const { what, remedy } = storeFaults[fault];
  return Response.json({
    status: "unavailable",
    failed: "store",
    fault,
    message: `The store cannot be used: ${what}`,
    remedy,
    since: new Date(storeHealth.fault === undefined ? Date.now() : sinceMs).toISOString(),
  }, { status: 503, headers: { "retry-after": String(storeRetryAfterSeconds) } });
}

/** The handler of Stripe's webhooks, with the limits of their bodies. */
interface TakeWebhook {
  readonly limits: TextLimits;
  /** `body` exactly as received. Rejects if Stripe must redeliver it. */
  readonly take: (body: string, signature: string) => Promise<WebhookResult>;
}

/**
 * Answers a webhook of Stripe: 2xx only once its event is durable, 400 if it is not from Stripe,
 * and 503 if Stripe must redeliver it, which it does for three days.
 */
async function answerWebhook(
  request: Request,
  webhook: TakeWebhook | undefined,
): Promise<Response> {
  if (webhook === undefined) return say(404, "Payments are not set up here");
  try {
    const body = await readTextBody(request, webhook.limits);
    const result = await webhook.take(body, request.headers.get("stripe-signature") ?? "");
    return result.type === "taken" ? say(200, "Taken") : say(400, result.message);
  } catch (error) {
    if (error instanceof GatewayError) return say(error.status, error.message);
    const stack = error instanceof Error ? error.stack : String(error);
    logLine("error", "Cannot accept a webhook from Stripe", { stack });
    return say(503, "Cannot accept the webhook now. Send it again");
  }
}

function say(status: number, text: string): Response {
  return new Response(`${text}\n`, { status });
}

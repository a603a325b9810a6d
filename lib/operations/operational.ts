import { storeFaults, type StoreHealth, storeRetryAfterSeconds } from "../store/mod.ts";
import type { Metrics } from "../telemetry/mod.ts";
import { answerMetrics, type MetricsAccess } from "./metrics.ts";
import type { ManagementPart } from "./openapi.ts";
import { referencePage } from "./reference.ts";
import { answerWebhook, type TakeWebhook } from "./stripe_webhook.ts";

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
  /** Describes the management API for `/openapi.json`. */
  readonly describeManagement: () => Promise<ManagementPart>;
}

type Answer = (
  services: OperationalServices,
  request: Request,
  info: Pick<Deno.ServeHandlerInfo, "remoteAddr">,
) => Response | Promise<Response>;

/** Endpoints for operators and for clients that probe the server. They need no API key. */
export const operationalEndpoints: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["GET /healthz", () => new Response("ok\n")],
  ["HEAD /healthz", () => new Response("ok\n")],
  ["GET /readyz", ready],
  ["HEAD /readyz", ready],
  ["GET /metrics", answerMetrics],
  ["GET /openapi.json", description],
  ["GET /docs/api", referencePage],
  ["POST /stripe/webhook", ({ takeWebhook }, request) => answerWebhook(request, takeWebhook)],
  ["HEAD /", () => new Response(null)],
  ["HEAD /api/hello", () => new Response(null)],
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

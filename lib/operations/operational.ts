import { openapi } from "./openapi.ts";
import { referencePage } from "./reference.ts";
import { answerWebhook, type TakeWebhook } from "./stripe_webhook.ts";
import { storeFaults, type StoreHealth, storeRetryAfterSeconds } from "../store/mod.ts";
import type { Metrics } from "../telemetry/mod.ts";

/** The services behind the operator's addresses, such as health and metrics. */
export interface OperationalServices {
  readonly metrics: Metrics;
  /** How the store was when it was last probed. */
  readonly storeHealth: Pick<StoreHealth, "fault" | "sinceMs">;
  /** Absent where payments are not set up. */
  readonly takeWebhook?: TakeWebhook;
}

type Answer = (services: OperationalServices, request: Request) => Response | Promise<Response>;

/** Addresses for operators and for clients that look whether somebody is there. No key is asked for. */
export const operationalEndpoints: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["GET /healthz", () => new Response("ok\n")],
  ["HEAD /healthz", () => new Response("ok\n")],
  ["GET /readyz", ready],
  ["HEAD /readyz", ready],
  [
    "GET /metrics",
    async ({ metrics }) =>
      new Response(await metrics.text(), { headers: { "content-type": metrics.contentType } }),
  ],
  [
    "GET /openapi.json",
    () => Response.json(openapi(), { headers: { "access-control-allow-origin": "*" } }),
  ],
  ["GET /docs/api", referencePage],
  ["POST /stripe/webhook", ({ takeWebhook }, request) => answerWebhook(request, takeWebhook)],
  ["HEAD /", () => new Response(null)],
  ["HEAD /api/hello", () => new Response(null)],
]);

function ready({ storeHealth: { fault, sinceMs } }: OperationalServices): Response {
  if (fault === undefined) return new Response("ready\n");
  const { what, remedy } = storeFaults[fault];
  return Response.json({
    status: "unavailable",
    failed: "store",
    fault,
    message: `The store cannot be used: ${what}`,
    remedy,
    since: new Date(sinceMs).toISOString(),
  }, { status: 503, headers: { "retry-after": String(storeRetryAfterSeconds) } });
}

import { GatewayError } from "../canonical/mod.ts";
import { clientsDocument } from "./clients_document.ts";
import { openapi } from "./openapi.ts";
import { referencePage } from "./reference.ts";
import { answerWebhook, type TakeWebhook } from "./stripe_webhook.ts";
import type { Metrics } from "../telemetry/mod.ts";

/** What the operator's addresses show. */
export interface OperationalServices {
  readonly metrics: Metrics;
  /** Rejects when the store does not answer. */
  readonly checkStore: () => Promise<void>;
  /** Absent where payments are not set up. */
  readonly takeWebhook?: TakeWebhook;
}

type Answer = (services: OperationalServices, request: Request) => Response | Promise<Response>;

/** Addresses for operators and for clients that look whether somebody is there. No key is asked for. */
export const operationalEndpoints: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["GET /healthz", () => new Response("ok\n")],
  ["HEAD /healthz", () => new Response(null)],
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
  ["GET /docs", referencePage],
  ["GET /docs/clients.md", clientsDocument],
  ["POST /stripe/webhook", ({ takeWebhook }, request) => answerWebhook(request, takeWebhook)],
  ["HEAD /", () => new Response(null)],
  ["HEAD /api/hello", () => new Response(null)],
]);

async function ready({ checkStore }: OperationalServices): Promise<Response> {
  try {
    await checkStore();
    return new Response("ready\n");
  } catch (cause) {
    const { message } = new GatewayError("internal_error", "The store does not answer", { cause });
    return new Response(`${message}\n`, { status: 503, headers: { "retry-after": "5" } });
  }
}

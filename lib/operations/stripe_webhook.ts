import { GatewayError } from "../canonical/mod.ts";
import type { WebhookResult } from "../funds/mod.ts";
import { readTextBody, type TextLimits } from "../http/body/body.ts";
import { logLine } from "../telemetry/mod.ts";

/** The handler of Stripe's webhooks, with the limits of their bodies. */
export interface TakeWebhook {
  readonly limits: TextLimits;
  /** `body` exactly as received. Rejects if Stripe must redeliver it. */
  readonly take: (body: string, signature: string) => Promise<WebhookResult>;
}

/**
 * Answers a webhook of Stripe: 2xx only once its event is durable, 400 if it is not from Stripe,
 * and 503 if Stripe must redeliver it, which it does for three days.
 */
export async function answerWebhook(
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

import { timingSafeEqual } from "node:crypto";
import { BlockList } from "node:net";
import { GatewayError } from "../canonical/mod.ts";
import { codecs } from "../formats/mod.ts";
import { errorResponse } from "../http/errors.ts";
import { newRequestId } from "../http/request_id.ts";
import type { Metrics } from "../telemetry/mod.ts";

/** The callers that may read the metrics. */
export interface MetricsAccess {
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
export async function answerMetrics(
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

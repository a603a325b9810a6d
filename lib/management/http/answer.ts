import { clientAddress } from "../../admin/audit.ts";
import type { AdminServices } from "../../admin/services.ts";
import type { ApiInfo } from "../../http/behind_proxies.ts";
import { methodNotAllowed } from "../../http/endpoints.ts";
import { authenticate } from "./authenticate.ts";
import { ManagementError } from "./error.ts";
import { etagOf, ifMatchOf } from "./etag.ts";
import { once } from "./idempotency.ts";
import { readBody, validBody, validQuery } from "./input.ts";
import type { ApiOperation, ApiReply, ManagementCall, ManagementState } from "./operation.ts";
import { basePath, type FindRoute } from "./route_table.ts";

/** The services and the origin of a request. */
interface Serving {
  readonly id: string;
  readonly info: ApiInfo;
  readonly services: AdminServices;
  readonly find: FindRoute;
}

/** Answers a request. Throws its error. */
export async function answerOperation(request: Request, serving: Serving): Promise<Response> {
  const { services, info, id } = serving;
  const url = new URL(request.url);
  const { operation, params } = operationAt(request, url, serving);
  const state = await stateOf(request, operation, serving);
  const read = await readBody(request, operation, services.config.limits);
  const { store } = services;
  const facts = { request, url, text: read?.text ?? "", tokenId: state.account.token.id };
  return await once(facts, { store, nowMs: state.nowMs }, async () => {
    const call: ManagementCall = {
      ...{ id, url, params, info, state, origin: originFor(url, serving) },
      ifMatch: ifMatchOf(request, operation),
      query: validQuery(url, operation),
      body: validBody(read?.body, operation),
    };
    return responseOf(await operation.perform(call), operation);
  });
}

function operationAt(
  { method }: Request,
  url: URL,
  serving: Serving,
): { readonly operation: ApiOperation; readonly params: ManagementCall["params"] } {
  const match = serving.find(url.pathname);
  if (match === undefined) {
    const message =
      `No endpoint at this path: GET ${basePath} lists the resources. For model calls, set the base URL to ${
        originFor(url, serving)
      }/v1`;
    throw new ManagementError("unknown_endpoint", message);
  }
  const operation = match.methods.get(method);
  if (operation) return { operation, params: match.params };
  const allow = [...match.methods.keys()];
  const { message } = methodNotAllowed(method, allow);
  throw new ManagementError("method_not_allowed", message, {
    headers: { allow: allow.join(", ") },
  });
}

/** The gateway's origin: as configured, or else as the caller sees it. */
function originFor(url: URL, { services: { config }, info }: Serving): string {
  return config.publicUrl ?? info.askedOrigin ?? url.origin;
}

async function stateOf(
  request: Request,
  operation: ApiOperation,
  serving: Serving,
): Promise<ManagementState> {
  const { services, info } = serving;
  const { store, directory, changes } = services;
  const nowMs = services.now();
  const ip = clientAddress({ info }) ?? "";
  const baseUrl = `${originFor(new URL(request.url), serving)}/v1`;
  const { token, user } = await authenticate(request, operation, { store, ip, nowMs, baseUrl });
  if (operation.method !== "GET" && !changes.take(token.id, nowMs)) throw tooMany();
  return {
    ...{ services, nowMs },
    settings: directory.settings(),
    account: { user, token },
  };
}

function tooMany(): ManagementError {
  return new ManagementError(
    "rate_limit_exceeded",
    "The API token has made 600 changes within a minute. Retry in a minute",
    { headers: { "retry-after": "60" } },
  );
}

function responseOf(reply: ApiReply<unknown> | void, { status = 200 }: ApiOperation): Response {
  if (reply === undefined) return new Response(null, { status: 204 });
  const { body, record } = reply;
  return Response.json(body, { status, headers: record && { etag: etagOf(record) } });
}

import { type FormatName, GatewayError } from "./canonical/mod.ts";
import type { Codec } from "./formats/codec.ts";
import { codecs } from "./formats/mod.ts";
import { isRelayed } from "./formats/relayed/mod.ts";
import type { Operation, RelayedOperation } from "./formats/wire.ts";
import { generate, type IdempotentCalls, relay } from "./gateway.ts";
import {
  type Address,
  addressReader,
  framingFault,
  isForConsole,
  type Path,
} from "./http/address.ts";
import type { ApiInfo } from "./http/behind_proxies.ts";
import { compressed } from "./http/body/compression.ts";
import { type Call, type Incoming, newCall, newRequestId } from "./http/call.ts";
import type { CrossOrigin } from "./http/cross_origin.ts";
import { endpointFinder, type Match, methodNotAllowed, type Miss } from "./http/endpoints.ts";
import { errorResponse, plainErrorResponse } from "./http/errors.ts";
import { carriedAsGenerateContent } from "./http/key_carrier.ts";
import { badAddress, badFraming } from "./http/unreadable.ts";
import {
  answerConversation,
  createConversation,
  createConversationItems,
  deleteConversationItem,
  getConversationItem,
  listConversationItems,
  removeConversation,
  updateConversation,
} from "./operations/conversations.ts";
import { countTokens } from "./operations/count_tokens.ts";
import { answerModels, type ModelSource } from "./operations/models.ts";
import { operationalEndpoints, type OperationalServices } from "./operations/operational.ts";
import { answerKey } from "./operations/own_key/key.ts";
import {
  answerBillingUsage,
  answerSubscription,
  answerUsage,
  type OwnKeySource,
} from "./operations/own_key/usage.ts";
import { servedEndpoints, sharedEndpoints } from "./operations/served.ts";
import {
  cancelResponse,
  deleteResponse,
  getResponse,
  listInputItems,
} from "./operations/stored_responses.ts";
import type { Sockets } from "./socket/mod.ts";

export interface DispatcherServices extends ModelSource, OperationalServices, OwnKeySource {
  readonly now: () => number;
  /** Answers calls with an idempotency key. */
  readonly idempotentCalls: Pick<IdempotentCalls, "answer">;
  /** Opens WebSockets; undefined if they are switched off. */
  readonly sockets?: Sockets | undefined;
  /** The rule for pages of other origins; undefined if none may call the API. */
  readonly crossOrigin: CrossOrigin | undefined;
  /** Answers the requests of the management API. */
  readonly manage: (request: Request, info: ApiInfo) => Promise<Response>;
}

/** Answers a request to the API; undefined for a request to the console. */
export type Dispatch = (
  request: Request,
  info: ApiInfo,
) => Response | Promise<Response> | undefined;

/**
 * Maps an address to its codec and operation. Every answer of the API has a request id, and every
 * error has the shape of the called format.
 */
export function createDispatcher(services: DispatcherServices): Dispatch {
  return (request, info) =>
    request.method === "HEAD" && !hasOwnHead(request)
      ? answerHead(request, info, services)
      : dispatch(request, info, services);
}

/** Treats `HEAD` like `GET`: the same checks, status and headers. The server leaves the body out. */
function answerHead(
  request: Request,
  info: ApiInfo,
  services: DispatcherServices,
): ReturnType<Dispatch> {
  const answer = dispatch(new Request(request, { method: "GET" }), info, services);
  return answer && Promise.resolve(answer).then(headOf);
}

/** The answer to `HEAD` from that to `GET`. Cancels a stream, because nobody would read it. */
function headOf(response: Response): Response {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  void response.body?.cancel();
  return new Response(null, response);
}

/** The methods of each operator address; `/` belongs to the console, too. */
const operationalMethods: ReadonlyMap<string, readonly string[]> = methodsByPath([
  ...operationalEndpoints.keys(),
]);

function methodsByPath(routes: readonly string[]): Map<string, string[]> {
  const pairs = routes.map((route) => route.split(" ")).filter(([, path]) => path !== "/");
  const grouped = Map.groupBy(pairs, ([, path]) => path);
  return new Map([...grouped].map(([path, rows]) => [path, rows.map(([method]) => method)]));
}

const addressOf = addressReader(new Set(operationalMethods.keys()));

/** True for addresses that answer `HEAD` differently from `GET`. */
function hasOwnHead(request: Request): boolean {
  return operationalEndpoints.has(`HEAD ${addressOf(request)?.path.pathname}`);
}

function dispatch(
  request: Request,
  info: ApiInfo,
  services: DispatcherServices,
): ReturnType<Dispatch> {
  const fault = framingFault(request.headers);
  if (fault !== undefined) return badFraming(fault, services);
  const address = addressOf(request);
  if (!address) return badAddress(services);
  const { url, path } = address;
  if (path.isOperational) {
    const route = `${request.method} ${path.pathname}`;
    const operational = operationalEndpoints.get(route);
    if (operational) return answerCompressed(request, operational(services, request, info));
  }
  if (path.isManagement) return answerCompressed(request, services.manage(request, info));
  const { crossOrigin } = services;
  const preflight = crossOrigin?.preflight(request);
  if (preflight && path.isForOtherOrigins) return preflight;
  if (!path.isApi && isForConsole(request, url)) return undefined;
  const answer = answerApi(request, address, info, services);
  return crossOrigin && path.isForOtherOrigins
    ? Promise.resolve(answer).then((response) => crossOrigin.readable(request, response))
    : answer;
}

async function answerCompressed(
  request: Request,
  answering: Response | Promise<Response>,
): Promise<Response> {
  const response = compressed(request, await answering);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

const find = endpointFinder(servedEndpoints);

function answerApi(
  request: Request,
  { url, path }: Address,
  info: ApiInfo,
  services: DispatcherServices,
): Response | Promise<Response> {
  const { gateway } = services;
  const { remoteAddr, completed } = info;
  const nowMs = services.now();
  const ip = remoteAddr.transport === "tcp" ? remoteAddr.hostname : "";
  const arrival = { id: newRequestId(nowMs), request, url, nowMs, ip, completed };
  const baseUrl = () => gateway.publicUrl ?? info.askedOrigin ?? url.origin;
  const found = findFor(request, path, { baseUrl, sockets: services.sockets });
  if ("error" in found) return answerMiss(found, arrival, services);
  const isShared = sharedEndpoints.includes(found.endpoint);
  const match = isShared ? { ...found, codec: clientCodec(request.headers, url) } : found;
  const call = newCall(arrival, match);
  const { operation, method } = call.endpoint;
  if (method !== request.method && services.sockets) return services.sockets.open(call);
  const isMetered = operations[operation as keyof typeof operations] === generate ||
    isRelayed(operation);
  const perform = isRelayed(operation) ? relay : operations[operation];
  if (!isMetered) return withCheckNotified(call, perform(call, gateway, services), services);
  const key = request.headers.get("idempotency-key");
  const once = key === null ? perform : performedOnce(key, perform);
  const { spans } = gateway;
  return spans
    ? spans.run(call.id, () => once(call, gateway, services))
    : once(call, gateway, services);
}

/** Performs only the first call with an idempotency key; the others get its answer. */
function performedOnce(key: string, perform: Perform): Perform {
  return (call, gateway, services) =>
    services.idempotentCalls.answer(key, {
      call,
      gateway,
      perform: (detached, deps) => perform(detached, deps, services),
    });
}

/** Reports an answered call to the open connection checks; a metered one is reported as it settles. */
async function withCheckNotified(
  call: Call,
  answering: Promise<Response>,
  { gateway }: DispatcherServices,
): Promise<Response> {
  const response = await answering;
  if (response.ok) gateway.notifyChecks({ call });
  return response;
}

function findFor(
  request: Request,
  { pathname, matches }: Path,
  { baseUrl, sockets }: Pick<DispatcherServices, "sockets"> & { readonly baseUrl: () => string },
): Match | Miss {
  const { method, headers } = request;
  if (headers.get("upgrade")?.toLowerCase() === "websocket") {
    const posted = find("POST", pathname, baseUrl);
    const isOpened = "endpoint" in posted && posted.endpoint.takesSockets && method === "GET";
    return sockets && isOpened ? posted : noWebSocket(posted);
  }
  return matches.get(method) ?? findAnew(method, { pathname, matches }, baseUrl);
}

function findAnew(
  method: string,
  { pathname, matches }: Pick<Path, "pathname" | "matches">,
  baseUrl: () => string,
): Match | Miss {
  const match = find(method, pathname, baseUrl);
  if ("endpoint" in match) matches.set(method, match);
  const allow = operationalMethods.get(pathname);
  if ("endpoint" in match || allow === undefined) return match;
  return { error: methodNotAllowed(method, allow), allow };
}

function answerMiss(
  { error, allow, plainError, codec: ofPath }: Miss,
  arrival: Incoming & { readonly id: string },
  { gateway }: DispatcherServices,
): Response {
  const { id, request, url, nowMs } = arrival;
  const codec = ofPath ?? clientCodec(request.headers, url);
  gateway.notifyChecks({ call: { ...arrival, startedAtMs: nowMs, codec }, error });
  if (plainError) return plainErrorResponse(error, id);
  return errorResponse(error, codec, id, { headers: allow && { allow: allow.join(", ") } });
}

/** Makes clients that try a WebSocket fall back to server-sent events at once. */
function noWebSocket(posted: Match | Miss): Miss {
  const advice = "error" in posted
    ? `. ${posted.error.message}`
    : ": POST to the same address and read server-sent events";
  const message = `WebSockets are not served here${advice}`;
  return { codec: posted.codec, error: new GatewayError("websocket_unsupported", message) };
}

function clientCodec(headers: Headers, url: URL): Codec {
  const name: FormatName = carriedAsGenerateContent(headers, url)
    ? "generate-content"
    : headers.has("anthropic-version")
    ? "messages"
    : "chat-completions";
  return codecs[name];
}

type Perform = (
  call: Call,
  gateway: DispatcherServices["gateway"],
  services: DispatcherServices,
) => Promise<Response>;

const operations: Readonly<Record<Exclude<Operation, RelayedOperation>, Perform>> = {
  "generate": generate,
  "compact-response": generate,
  "count-tokens": countTokens,
  "list-models": (call, _, services) => answerModels(call, services),
  "get-model": (call, _, services) => answerModels(call, services),
  "get-usage": (call, _, services) => answerUsage(call, services),
  "get-key": (call, _, services) => answerKey(call, services),
  "get-subscription": (call, _, services) => answerSubscription(call, services),
  "get-billing-usage": (call, _, services) => answerBillingUsage(call, services),
  "get-response": getResponse,
  "delete-response": deleteResponse,
  "cancel-response": cancelResponse,
  "list-input-items": listInputItems,
  "create-conversation": createConversation,
  "get-conversation": answerConversation,
  "update-conversation": updateConversation,
  "delete-conversation": removeConversation,
  "create-conversation-items": createConversationItems,
  "list-conversation-items": listConversationItems,
  "get-conversation-item": getConversationItem,
  "delete-conversation-item": deleteConversationItem,
};

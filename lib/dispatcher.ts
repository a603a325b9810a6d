import { type FormatName, GatewayError } from "./canonical/mod.ts";
import type { Codec } from "./formats/codec.ts";
import type { Endpoint, Operation, RelayedOperation } from "./formats/endpoint.ts";
import { codecs } from "./formats/mod.ts";
import { isRelayed } from "./formats/relayed/mod.ts";
import { generate, relay } from "./gateway.ts";
import {
  type Address,
  addressReader,
  framingFault,
  isForConsole,
  type Path,
} from "./http/address.ts";
import type { ApiInfo } from "./http/behind_proxies.ts";
import { compressed } from "./http/body/compression.ts";
import { type Call, newCall, newRequestId } from "./http/call.ts";
import type { CrossOrigin } from "./http/cross_origin.ts";
import { endpointFinder, type Match, methodNotAllowed, type Miss } from "./http/endpoints.ts";
import { errorResponse, gatewayErrorOf, plainErrorResponse } from "./http/errors.ts";
import { asGet, headOf } from "./http/head.ts";
import { carriedAsGenerateContent } from "./http/key_carrier.ts";
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
import type { OwnKeySource } from "./operations/own_key/answer.ts";
import { answerBillingUsage, answerSubscription } from "./operations/own_key/billing.ts";
import { answerKey } from "./operations/own_key/key.ts";
import { answerUsage } from "./operations/own_key/usage.ts";
import { referenceFiles } from "./operations/reference.ts";
import { servedEndpoints, sharedEndpoints } from "./operations/served.ts";
import {
  cancelResponse,
  deleteResponse,
  getResponse,
  listInputItems,
} from "./operations/stored_responses.ts";

export interface DispatcherServices extends ModelSource, OperationalServices, OwnKeySource {
  readonly now: () => number;
  /** The rule for pages of other origins. */
  readonly crossOrigin: CrossOrigin;
  /** Answers the requests of the management API. */
  readonly manage: (request: Request, info: ApiInfo) => Promise<Response>;
}

/** Answers a request to the API; undefined for a request to the console. */
export type Dispatch = (request: Request, info: ApiInfo) => Promise<Response> | undefined;

/**
 * Maps an address to its codec and operation. Every answer of the API has a request id, and every
 * error has the shape of the called format.
 */
export function createDispatcher(services: DispatcherServices): Dispatch {
  const dispatch = dispatcherOf(services);
  return (request, info) => {
    if (request.method !== "HEAD" || hasOwnHead(request)) return dispatch(request, info);
    return dispatch(asGet(request), info)?.then(headOf);
  };
}

/** The methods of each operator address; `/` belongs to the console, too. */
const operationalMethods: ReadonlyMap<string, readonly string[]> = methodsByPath([
  ...operationalEndpoints.keys(),
  ...referenceFiles.keys(),
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

function dispatcherOf(services: DispatcherServices): Dispatch {
  return (request, info) => {
    const fault = framingFault(request.headers);
    if (fault !== undefined) return Promise.resolve(badFraming(fault, services));
    const address = addressOf(request);
    if (!address) return Promise.resolve(badAddress(services));
    const { url, path } = address;
    if (path.isOperational) {
      const route = `${request.method} ${path.pathname}`;
      const operational = operationalEndpoints.get(route) ?? referenceFiles.get(route);
      if (operational) return answerCompressed(request, operational(services, request, info));
    }
    if (path.isManagement) return answerCompressed(request, services.manage(request, info));
    const preflight = services.crossOrigin.preflight(request);
    if (preflight && path.isForOtherOrigins) return Promise.resolve(preflight);
    if (!path.isApi && isForConsole(request, url)) return undefined;
    return answerReadable(request, address, info, services);
  };
}

async function answerCompressed(
  request: Request,
  answering: Response | Promise<Response>,
): Promise<Response> {
  const response = compressed(request, await answering);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

function badAddress(services: Pick<DispatcherServices, "now">): Response {
  return unreadable("its host header or its address is malformed", services);
}

/** Closes the connection: its next bytes may be a part of the body. */
function badFraming(fault: string, services: Pick<DispatcherServices, "now">): Response {
  const response = unreadable(fault, services);
  response.headers.set("connection", "close");
  return response;
}

function unreadable(fault: string, { now }: Pick<DispatcherServices, "now">): Response {
  const error = new GatewayError("invalid_request", `Cannot read request: ${fault}`);
  return errorResponse(error, codecs["chat-completions"], newRequestId(now()));
}

/**
 * The response when the runtime threw before a handler saw the request: its tracing parses the
 * address, too (Deno 2.8.2).
 */
export function thrownResponse(thrown: unknown): Response {
  if (thrown instanceof TypeError && thrown.message.startsWith("Invalid URL")) {
    return badAddress(Date);
  }
  return errorResponse(
    gatewayErrorOf(thrown),
    codecs["chat-completions"],
    newRequestId(Date.now()),
  );
}

const find = endpointFinder(servedEndpoints);

async function answerReadable(
  request: Request,
  address: Address,
  info: ApiInfo,
  services: DispatcherServices,
): Promise<Response> {
  const response = await answerApi(request, address, info, services);
  if (!address.path.isForOtherOrigins) return response;
  return services.crossOrigin.readable(request, response);
}

function answerApi(
  request: Request,
  { url, path }: Address,
  info: ApiInfo,
  services: DispatcherServices,
): Response | Promise<Response> {
  const arrival = arrivalOf(request, url, info, services);
  const found = findFor(
    request,
    path,
    () => services.gateway.publicUrl ?? info.askedOrigin ?? url.origin,
  );
  if ("error" in found) return answerMiss(found, arrival, services);
  const call = newCall(arrival, matchFor(request, url, found));
  const perform = performOf(call.endpoint.operation);
  const { spans } = services.gateway;
  if (!isMetered(call.endpoint)) return noted(call, perform(call, services), services);
  return spans ? spans.run(call.id, () => perform(call, services)) : perform(call, services);
}

/** Reports an answered call that has no row to the open connection checks. */
async function noted(
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
  { pathname, found }: Path,
  baseUrl: () => string,
): Match | Miss {
  const { method, headers } = request;
  if (headers.get("upgrade")?.toLowerCase() === "websocket") {
    return noWebSocket(find("POST", pathname, baseUrl));
  }
  return found.get(method) ?? findAnew(method, { pathname, found }, baseUrl);
}

function findAnew(
  method: string,
  { pathname, found }: Pick<Path, "pathname" | "found">,
  baseUrl: () => string,
): Match | Miss {
  const match = find(method, pathname, baseUrl);
  if ("endpoint" in match) found.set(method, match);
  const allow = operationalMethods.get(pathname);
  if ("endpoint" in match || allow === undefined) return match;
  return { error: methodNotAllowed(method, allow), allow };
}

function answerMiss(
  { error, allow, plainError, codec: ofPath }: Miss,
  arrival: ReturnType<typeof arrivalOf>,
  { gateway }: DispatcherServices,
): Response {
  const { id, request, url, nowMs } = arrival;
  const codec = ofPath ?? clientCodec(request.headers, url);
  gateway.notifyChecks({ call: { ...arrival, startedAtMs: nowMs, codec }, error });
  if (plainError) return plainErrorResponse(error, id);
  return errorResponse(error, codec, id, { headers: allow && { allow: allow.join(", ") } });
}

/** Returns true for calls that are reported when they settle. */
function isMetered({ operation }: Endpoint): boolean {
  return operation === "generate" || isRelayed(operation);
}

function arrivalOf(
  request: Request,
  url: URL,
  { remoteAddr, completed }: Deno.ServeHandlerInfo,
  { now }: DispatcherServices,
) {
  const nowMs = now();
  const ip = remoteAddr.transport === "tcp" ? remoteAddr.hostname : "";
  return { id: newRequestId(nowMs), request, url, nowMs, ip, completed };
}

/** Makes clients that try a WebSocket fall back to server-sent events at once. */
function noWebSocket(posted: Match | Miss): Miss {
  const advice = "error" in posted
    ? `. ${posted.error.message}`
    : ": POST to the same address and read server-sent events";
  const message = `WebSockets are not served here${advice}`;
  return { codec: posted.codec, error: new GatewayError("websocket_unsupported", message) };
}

function matchFor(request: Request, url: URL, match: Match): Match {
  return sharedEndpoints.includes(match.endpoint)
    ? { ...match, codec: clientCodec(request.headers, url) }
    : match;
}

function clientCodec(headers: Headers, url: URL): Codec {
  const name: FormatName = carriedAsGenerateContent(headers, url)
    ? "generate-content"
    : headers.has("anthropic-version")
    ? "messages"
    : "chat-completions";
  return codecs[name];
}

type Perform = (call: Call, services: DispatcherServices) => Promise<Response>;

function performOf(operation: Operation): Perform {
  return isRelayed(operation) ? (call, { gateway }) => relay(call, gateway) : operations[operation];
}

const operations: Readonly<Record<Exclude<Operation, RelayedOperation>, Perform>> = {
  "generate": (call, { gateway }) => generate(call, gateway),
  "count-tokens": (call, { gateway }) => countTokens(call, gateway),
  "list-models": answerModels,
  "get-model": answerModels,
  "get-usage": answerUsage,
  "get-key": answerKey,
  "get-subscription": answerSubscription,
  "get-billing-usage": answerBillingUsage,
  "get-response": (call, { gateway }) => getResponse(call, gateway),
  "delete-response": (call, { gateway }) => deleteResponse(call, gateway),
  "cancel-response": (call, { gateway }) => cancelResponse(call, gateway),
  "list-input-items": (call, { gateway }) => listInputItems(call, gateway),
  "create-conversation": (call, { gateway }) => createConversation(call, gateway),
  "get-conversation": (call, { gateway }) => answerConversation(call, gateway),
  "update-conversation": (call, { gateway }) => updateConversation(call, gateway),
  "delete-conversation": (call, { gateway }) => removeConversation(call, gateway),
  "create-conversation-items": (call, { gateway }) => createConversationItems(call, gateway),
  "list-conversation-items": (call, { gateway }) => listConversationItems(call, gateway),
  "get-conversation-item": (call, { gateway }) => getConversationItem(call, gateway),
  "delete-conversation-item": (call, { gateway }) => deleteConversationItem(call, gateway),
};

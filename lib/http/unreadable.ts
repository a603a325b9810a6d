import { GatewayError } from "../canonical/mod.ts";
import { codecs } from "../formats/mod.ts";
import { newRequestId } from "./call.ts";
import { errorResponse, gatewayErrorOf } from "./errors.ts";

/** The response to a request without a readable address. */
export function badAddress(services: Pick<typeof Date, "now">): Response {
  return unreadable("its host header or its address is malformed", services);
}

/** Closes the connection: its next bytes may be a part of the body. */
export function badFraming(fault: string, services: Pick<typeof Date, "now">): Response {
  const response = unreadable(fault, services);
  response.headers.set("connection", "close");
  return response;
}

function unreadable(fault: string, { now }: Pick<typeof Date, "now">): Response {
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

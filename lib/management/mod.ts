import { type AdminServices, adminServices } from "../admin/services.ts";
import { GatewayError } from "../canonical/mod.ts";
import type { ApiInfo } from "../http/behind_proxies.ts";
import { answerHeaders } from "../http/errors.ts";
import { newRequestId } from "../http/request_id.ts";
import { reportThrown } from "../telemetry/mod.ts";
import { answerOperation } from "./http/answer.ts";
import { describeOperations, type ManagementDescription } from "./http/describe.ts";
import { errorAnswer, isServerFault } from "./http/error.ts";
import { routeTable } from "./http/route_table.ts";
import { operations } from "./operations.ts";

/** The management API: everything below `/api/v1`, for programs with an API token. */
export type ManagementApi = (request: Request, info: ApiInfo) => Promise<Response>;

/**
 * Creates the handler, over the services of the console. Its answers have a request id, and its
 * errors one shape.
 */
export function createManagementApi(): ManagementApi {
  const find = routeTable(operations);
  return async (request, info) => {
    const id = newRequestId(Date.now());
    const response = await answerOperation(request, { id, info, services: services(), find })
      .catch((thrown: unknown) => failure(thrown, id));
    const headers = { ...answerHeaders(id), "cache-control": "no-store" }; // compressed if it is long
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
}

/** The API's part of the OpenAPI document. */
export function describeManagement(): ManagementDescription {
  return describeOperations(operations);
}

function services(): AdminServices {
  const provided = adminServices();
  if (provided !== undefined) return provided;
  throw new GatewayError("shutting_down", "The gateway is starting. Retry");
}

function failure(thrown: unknown, id: string): Response {
  if (isServerFault(thrown)) reportThrown(thrown);
  return errorAnswer(thrown, id);
}

import { z } from "zod";
import { type AdminServices, adminServices } from "../admin/services.ts";
import { GatewayError } from "../canonical/mod.ts";
import type { ApiInfo } from "../http/behind_proxies.ts";
import { newRequestId } from "../http/call.ts";
import { answerHeaders } from "../http/errors.ts";
import type { ManagementPart } from "../operations/openapi.ts";
import { reportThrown } from "../telemetry/mod.ts";
import { alertOperations } from "./alerts.ts";
import { auditOperations } from "./audit.ts";
import { callOperations } from "./calls.ts";
import { codeOperations } from "./codes.ts";
import { boundOperations } from "./effective_bounds.ts";
import { emailOperations } from "./email.ts";
import { groupOperations } from "./groups.ts";
import { answerOperation } from "./http/answer.ts";
import { describeOperations } from "./http/describe.ts";
import { errorAnswer, isBug } from "./http/error.ts";
import { type ApiOperation, operation } from "./http/operation.ts";
import { basePath, routeTable } from "./http/route_table.ts";
import { invitationOperations } from "./invitations.ts";
import { keyOperations } from "./keys.ts";
import { modelOperations } from "./models.ts";
import { proposalOperations } from "./price_proposals.ts";
import { projectOperations } from "./projects.ts";
import { recordingOperations } from "./recordings.ts";
import { sessionOperations } from "./sessions.ts";
import { settingsOperations } from "./settings.ts";
import { tagOperations } from "./tags.ts";
import { tokenOperations } from "./tokens.ts";
import { upstreamModelOperations } from "./upstream_models.ts";
import { upstreamOperations } from "./upstreams.ts";
import { usageOperations } from "./usage.ts";
import { userOperations } from "./users.ts";
import { walletOperations } from "./wallets.ts";
import { webhookOperations } from "./webhooks.ts";

/** The management API: everything below `/api/v1`, for programs with an API token. */
export type ManagementApi = (request: Request, info: ApiInfo) => Promise<Response>;

/**
 * Creates the handler, over the services that it shares with the console. Its answers have a
 * request id, and its errors one shape.
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
export function describeManagement(): ManagementPart {
  return describeOperations(operations);
}

function services(): AdminServices {
  const provided = adminServices();
  if (provided !== undefined) return provided;
  throw new GatewayError("shutting_down", "The gateway is starting. Retry");
}

function failure(thrown: unknown, id: string): Response {
  if (isBug(thrown)) reportThrown(thrown);
  return errorAnswer(thrown, id);
}

/** The operations of every resource. */
const resources: readonly ApiOperation[] = [
  ...keyOperations,
  ...sessionOperations,
  ...boundOperations,
  ...userOperations,
  ...invitationOperations,
  ...groupOperations,
  ...projectOperations,
  ...tagOperations,
  ...tokenOperations,
  ...webhookOperations,
  ...alertOperations,
  ...auditOperations,
  ...callOperations,
  ...recordingOperations,
  ...codeOperations,
  ...modelOperations,
  ...proposalOperations,
  ...settingsOperations,
  ...emailOperations,
  ...upstreamOperations,
  ...upstreamModelOperations,
  ...usageOperations,
  ...walletOperations,
];

/** The first parts of the resources' paths, such as `keys`. */
function resourceNames(): string[] {
  return [...new Set(resources.map(({ path }) => path.split("/")[1]))].sort();
}

const index = operation("GET ", {
  summary: "List the resources",
  answer: z.object({ data: z.array(z.object({ resource: z.string(), path: z.string() })) }),
}, () => {
  const data = resourceNames().map((resource) => ({ resource, path: `${basePath}/${resource}` }));
  return Promise.resolve({ body: { data } });
});

/** Every operation of the management API. */
export const operations: readonly ApiOperation[] = [index, ...resources];

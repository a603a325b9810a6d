import { z } from "zod";
import { basePath } from "./http/route_table.ts";
import { type ApiOperation, operation } from "./http/operation.ts";
import { alertOperations } from "./alerts.ts";
import { auditOperations } from "./audit.ts";
import { callOperations } from "./calls.ts";
import { codeOperations } from "./codes.ts";
import { modelOperations } from "./models.ts";
import { settingsOperations } from "./settings.ts";
import { upstreamOperations } from "./upstreams.ts";
import { upstreamModelOperations } from "./upstream_models.ts";
import { usageOperations } from "./usage.ts";
import { walletOperations } from "./wallets.ts";
import { groupOperations } from "./groups.ts";
import { invitationOperations } from "./invitations.ts";
import { keyOperations } from "./keys.ts";
import { projectOperations } from "./projects.ts";
import { tagOperations } from "./tags.ts";
import { tokenOperations } from "./tokens.ts";
import { userOperations } from "./users.ts";
import { webhookOperations } from "./webhooks.ts";

/** The operations of every resource. */
const resources: readonly ApiOperation[] = [
  ...keyOperations,
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
  ...codeOperations,
  ...modelOperations,
  ...settingsOperations,
  ...upstreamOperations,
  ...upstreamModelOperations,
  ...usageOperations,
  ...walletOperations,
];

/** The first parts of the resources' paths, such as `keys`. */
function resourceNames(): string[] {
  return [...new Set(resources.map(({ path }) => path.split("/")[1]))].sort();
}

const index = operation({
  method: "GET",
  path: "",
  summary: "List the resources",
  answer: z.object({ data: z.array(z.object({ resource: z.string(), path: z.string() })) }),
}, () => {
  const data = resourceNames().map((resource) => ({ resource, path: `${basePath}/${resource}` }));
  return Promise.resolve({ body: { data } });
});

/** Every operation of the management API. */
export const operations: readonly ApiOperation[] = [index, ...resources];

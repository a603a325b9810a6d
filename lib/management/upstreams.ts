import { z } from "zod";
import { covers } from "../accounts/mod.ts";
import { faults } from "../admin/faults.ts";
import {
  addOwnUpstream,
  changeUpstream,
  changeUpstreamKeys,
  enableUpstream,
  removeUpstream,
} from "../admin/upstreams/upstream_changes.ts";
import { credentialsIn } from "../admin/upstreams/upstream_cloud_form.ts";
import { areKeys, type KeyChange, keysAfter } from "../admin/upstreams/upstream_wire_form.ts";
import { listUpstreams, servesGroup, type UpstreamRecord } from "../store/catalog/mod.ts";
import { credentialsOf } from "../upstreams/mod.ts";
import { changeConflicts, invalidField, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  etagOf,
  type ManagementCall,
  operation,
  switches,
} from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import {
  calledUpstream,
  changedUpstream,
  checkOf,
  credentialsInput,
  newUpstream,
  noUpstream,
  replyWith,
  upstreamAnswer,
  upstreamChange,
  upstreamFrom,
  upstreamJson,
  withoutSecrets,
} from "./upstream_json.ts";

const filters = pageQuery.extend({
  group: z.string().max(200).optional().describe("Serves this group"),
});

async function list(call: ManagementCall<z.output<typeof filters>>) {
  const { query: { group }, state } = call;
  const all = await listUpstreams(state.services.store);
  const found = all.filter((one) => group === undefined || servesGroup(one, group));
  return await pageReply(found, ({ id }) => id, call, (one) => upstreamJson(one, call));
}

async function create(call: ManagementCall<unknown, z.output<typeof newUpstream>>) {
  const upstream = await upstreamFrom(call.body, call);
  if (await addOwnUpstream(upstream, call)) return replyWith(upstream, call);
  throw new ManagementError("already_exists", `An upstream has the ID ${upstream.id}`, {
    param: "id",
  });
}

async function change(call: ManagementCall<unknown, z.output<typeof upstreamChange>>) {
  const current = await calledUpstream(call);
  const wanted = await changedUpstream(current, call.body, call);
  assertKeepsCredentials(current, wanted, call);
  const changed = await changeUpstream(current.id, wanted, call, (stored) => {
    checkOf(call)(stored);
    assertSame(stored, current);
  });
  return replyWith(changed ?? noUpstream(current.id), call);
}

/**
 * Throws `scope_missing` if the stored credentials would go to another server, unless the token has
 * all scopes: nobody reads a credential, and a server of the caller's would.
 */
function assertKeepsCredentials(
  current: UpstreamRecord,
  wanted: UpstreamRecord,
  { state: { account } }: ManagementCall,
): void {
  if (current.credentials.length === 0 || covers(account.token.scopes, "*")) return;
  const known = new Set(Object.values(current.endpoints).map(originOf));
  const moved = Object.entries(wanted.endpoints).find(([, url]) => !known.has(originOf(url)));
  if (moved === undefined) return;
  const param = `endpoints.${moved[0]}`;
  const message =
    `${param}: the stored credentials would go to another server. Remove them first, or use an API token with the scope *`;
  throw new ManagementError("scope_missing", message, { param });
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** The wanted settings were made from `current`: another change meanwhile would be lost. */
function assertSame(stored: UpstreamRecord, current: UpstreamRecord): void {
  if (etagOf(withoutSecrets(stored)) === etagOf(withoutSecrets(current))) return;
  throw new ManagementError("concurrent_changes", "The upstream was changed meanwhile. Retry");
}

async function setEnabled(call: ManagementCall, enabled: boolean) {
  const { id } = await calledUpstream(call);
  return replyWith(await enableUpstream(id, enabled, call, checkOf(call)) ?? noUpstream(id), call);
}

async function remove(call: ManagementCall): Promise<void> {
  const { id } = await calledUpstream(call);
  if (!await removeUpstream(id, call, checkOf(call))) noUpstream(id);
}

async function addCredentials(
  call: ManagementCall<unknown, { readonly credentials: readonly string[] }>,
) {
  const keys = [...new Set(call.body.credentials.flatMap(credentialsIn))];
  const upstream = await calledUpstream(call);
  const change: KeyChange = { type: "add", keys };
  const isValid = areKeys(keys) && keysAfter(upstream, change) !== undefined;
  if (isValid) return await changeKeys(upstream, change, call);
  throw invalidField("credentials", faults.upstream.newKeys);
}

async function removeCredential(call: ManagementCall) {
  const upstream = await calledUpstream(call);
  const { credential } = call.params;
  const isKnown = credentialsOf(upstream).some(({ id }) => id === credential);
  if (!isKnown) throw notFound("credential of the upstream", credential);
  await changeKeys(upstream, { type: "remove", id: credential }, call);
}

async function changeKeys({ id }: UpstreamRecord, change: KeyChange, call: ManagementCall) {
  const changed = await changeUpstreamKeys(id, change, call, checkOf(call));
  return replyWith(changed ?? noUpstream(id), call);
}

const read = "upstreams:read";
const write = "upstreams:write";

/** The operations of upstreams and their credentials. */
export const upstreamOperations: readonly ApiOperation[] = [
  operation("GET /upstreams", {
    summary: "List upstreams by ID",
    scope: read,
    query: filters,
    answer: listSchema(upstreamAnswer),
  }, list),
  operation("POST /upstreams", {
    summary: "Create an upstream, without testing it",
    scope: write,
    body: newUpstream,
    answer: upstreamAnswer,
    status: 201,
    errors: ["already_exists"],
  }, create),
  operation("GET /upstreams/{id}", {
    summary: "An upstream",
    scope: read,
    answer: upstreamAnswer,
  }, async (call) => replyWith(await calledUpstream(call), call)),
  operation("PATCH /upstreams/{id}", {
    summary: "Change the given fields of an upstream",
    scope: write,
    body: upstreamChange,
    answer: upstreamAnswer,
    errors: changeConflicts,
  }, change),
  operation("DELETE /upstreams/{id}", {
    summary: "Delete an upstream with its credentials",
    scope: write,
    errors: changeConflicts,
  }, remove),
  ...switches("/upstreams/{id}", {
    summaries: {
      enable: "Enable an upstream",
      disable: "Disable an upstream: no call goes to it",
    },
    scope: write,
    answer: upstreamAnswer,
    errors: changeConflicts,
  }, setEnabled),
  operation("POST /upstreams/{id}/credentials", {
    summary: "Add credentials to an upstream; no answer ever holds them",
    scope: write,
    body: z.strictObject({ credentials: credentialsInput.min(1) }),
    answer: upstreamAnswer,
    errors: changeConflicts,
  }, addCredentials),
  operation("DELETE /upstreams/{id}/credentials/{credential}", {
    summary: "Remove a credential by its ID",
    scope: write,
    errors: changeConflicts,
  }, removeCredential),
];

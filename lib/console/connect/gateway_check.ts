import { mayUseModel } from "../../accounts/model_rules.ts";
import { keyStatusOf, shownSecret } from "../../admin/keys/key_status.ts";
import { type ModelRow, modelRows } from "../../admin/models/model_rows.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import type { AccountState } from "../session/state.ts";
import { type CheckAsked, type CheckStep, checkSteps } from "./check_steps.ts";

/**
 * Runs the verification of the specification with one of the account's keys, without its secret:
 * lists the models, requests a short chat completion, and reports the client's calls.
 */
export function checkOwnKey(apiKey: ApiKey, asked: CheckAsked): Promise<readonly CheckStep[]> {
  const { state: { services: { directory, callGateway }, nowMs }, ip } = asked;
  const status = keyStatusOf(apiKey, { groups: directory.groups(), nowMs });
  return checkSteps({
    key: { id: apiKey.id, name: apiKey.name, status },
    isKnown: true,
    models: () => Promise.resolve(modelRowsOf(apiKey, asked.state).map(({ id }) => id)),
    call: (request) =>
      callGateway
        ? callGateway(request, { payer: { type: "key", keyId: apiKey.id }, ip })
        : Promise.resolve(new Response(null, { status: 503 })),
  }, asked);
}

/** The same with a pasted secret, which is sent as a client sends it and stored nowhere. */
export async function checkSecret(
  secret: string,
  asked: CheckAsked,
): Promise<readonly CheckStep[]> {
  const { state: { services: { directory }, account, nowMs }, origin, signal } = asked;
  const found = await directory.findKey(secret);
  const own = found?.accountId === account.user.id ? found : undefined;
  const headers = { authorization: `Bearer ${secret}` };
  const carry = (request: Request) => carried(request, asked);
  return await checkSteps({
    key: {
      id: own?.id ?? "",
      name: own?.name ?? shownSecret({ prefix: secret.slice(0, 6), lastFour: secret.slice(-4) }),
      status: own ? keyStatusOf(own, { groups: directory.groups(), nowMs }) : "active",
    },
    isKnown: own !== undefined,
    models: async () => {
      const response = await carry(new Request(`${origin}/v1/models`, { headers, signal }));
      return response.ok ? listedIn(await response.json()) : response;
    },
    call: (request) => {
      request.headers.set("authorization", headers.authorization);
      return carry(request);
    },
  }, asked);
}

/** The models that a key of the signed-in account may use. */
export function modelRowsOf(
  apiKey: ApiKey,
  { services: { directory }, account: { user: { projectId } }, nowMs }: AccountState,
): readonly ModelRow[] {
  const group = directory.group(apiKey.groupId);
  if (group === undefined) return [];
  const project = projectId === undefined ? undefined : directory.project(projectId);
  return modelRows([group], directory, nowMs)
    .filter(({ id }) => mayUseModel({ key: apiKey, group, project }, id));
}

function listedIn(body: { readonly data?: readonly { readonly id?: unknown }[] }): string[] {
  return (body.data ?? []).flatMap(({ id }) => typeof id === "string" ? [id] : []);
}

/** Sends a request through the public API, as if from the browser's address. */
async function carried(request: Request, { state, ip }: CheckAsked): Promise<Response> {
  const remoteAddr = { transport: "tcp", hostname: ip, port: 0 } as const;
  const info = { remoteAddr, completed: Promise.resolve() };
  return await state.services.answerApi?.(request, info) ?? new Response(null, { status: 503 });
}

import { GatewayError } from "../canonical/mod.ts";
import type { GatewayDeps } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { answerHeaders } from "../http/errors.ts";
import { streamHeaders } from "../http/respond.ts";
import {
  backgroundEvents,
  cancelledAnswer,
  deleteAnswer,
  inputOf,
  itemQueryOf,
  listBody,
  listPart,
  type Owner,
  settledEntry,
  storedAnswer,
} from "../responses_state/mod.ts";
import { answerStateful } from "./answer.ts";

/**
 * `GET /v1/responses/{id}`; `?stream=true&starting_after=N` resumes the stream of a background
 * response.
 */
export function getResponse(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(
    call,
    gateway,
    async (owner, id) =>
      call.url.searchParams.get("stream") === "true"
        ? await streamedResponse(call, gateway, { owner, id })
        : await storedAnswer(gateway.state, owner, id),
  );
}

async function streamedResponse(
  { id: requestId, url }: Call,
  { state }: GatewayDeps,
  { owner, id }: { readonly owner: Owner; readonly id: string },
): Promise<Response> {
  const { response } = await settledEntry(state, owner, id);
  if (!response.background) throw notStreamed(id);
  const after = placeIn(url);
  const place = { id, ...(after !== undefined && { after }) };
  return new Response(backgroundEvents(state, owner, place), {
    headers: { ...answerHeaders(requestId), ...streamHeaders.sse },
  });
}

function placeIn({ searchParams }: URL): number | undefined {
  const after = searchParams.get("starting_after");
  if (after === null || after === "") return undefined;
  const place = Number(after);
  if (Number.isInteger(place)) return place;
  throw new GatewayError(
    "invalid_request",
    "Cannot read the query: starting_after must be a sequence number",
    { param: "starting_after" },
  );
}

function notStreamed(id: string): GatewayError {
  return new GatewayError(
    "invalid_request",
    `Cannot stream response '${id}': it was not created with background: true`,
    { param: "stream" },
  );
}

/** `DELETE /v1/responses/{id}`: deletes it immediately with its content. */
export function deleteResponse(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id) => {
    await deleteAnswer(gateway.state, owner, id);
    return { id, object: "response", deleted: true };
  });
}

/**
 * `POST /v1/responses/{id}/cancel`: cancels a background response; an ended one stays unchanged.
 */
export function cancelResponse(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, (owner, id) => cancelledAnswer(gateway.state, owner, id));
}

/** `GET /v1/responses/{id}/input_items`: the whole input, paged. */
export function listInputItems(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id) => {
    const query = itemQueryOf(call.url);
    return listBody(owner.state, listPart(await inputOf(gateway.state, owner, id), query));
  });
}

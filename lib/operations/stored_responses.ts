import { GatewayError } from "../canonical/mod.ts";
import { failed, type Gateway, identify } from "../gateway.ts";
import type { Call } from "../http/call.ts";

/** `GET`/`DELETE /v1/responses/{id}` and its `input_items`. Nothing is kept, so nothing is found: clients then send the whole input. */
export async function answerStoredResponse(call: Call, gateway: Gateway): Promise<Response> {
  try {
    await identify(call, gateway);
    throw new GatewayError(
      "response_not_found",
      `The response ${
        call.parameter?.slice(0, 100)
      } is not stored here: send the whole input instead`,
    );
  } catch (thrown) {
    return failed(call, thrown, gateway);
  }
}

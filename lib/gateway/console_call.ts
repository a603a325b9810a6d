import { assertFormat } from "../accounts/authorize.ts";
import { authorizePayer, type Payer, type PayerDirectory } from "../accounts/mod.ts";
import { codecs } from "../formats/mod.ts";
import { generate } from "../gateway.ts";
import { type Call, newCall, newRequestId } from "../http/call.ts";
import { endpointFinder } from "../http/endpoints.ts";
import { errorResponse } from "../http/errors.ts";
import type { GatewayDeps } from "./dependencies.ts";

interface ConsoleCaller {
  readonly payer: Payer;
  readonly ip: string;
}

/**
 * Calls the gateway for the signed-in user, without a secret, in any format. The call is paid,
 * limited and logged like any other, and ends when the request's signal aborts. Every failure is an
 * answer in the format's own shape.
 */
export type CallGateway = (request: Request, caller: ConsoleCaller) => Promise<Response>;

const find = endpointFinder(
  Object.values(codecs).flatMap((codec) =>
    codec.endpoints.filter(({ operation }) => operation === "generate")
      .map((endpoint) => ({ codec, endpoint }))
  ),
);

/** Creates the function by which the console calls the gateway. */
export function createCallGateway(gateway: GatewayDeps, directory: PayerDirectory): CallGateway {
  return async (request, { payer, ip }) => {
    const url = new URL(request.url);
    const nowMs = gateway.clock.now();
    const found = find(request.method, url.pathname);
    if ("error" in found) {
      const { codec = codecs["chat-completions"] } = found;
      return errorResponse(found.error, codec, newRequestId(nowMs));
    }
    const identify = async ({ codec }: Call) => {
      const caller = await authorizePayer(payer, { ip, nowMs }, directory);
      assertFormat(caller, codec.name);
      return caller;
    };
    const call = newCall({ request, url, nowMs, ip }, found);
    const answer = () => generate(call, { ...gateway, identify });
    return await (gateway.spans?.run(call.id, answer) ?? answer());
  };
}

import { limitsSchema } from "../../lib/config/limits.ts";
import { serveHttp } from "../../lib/http/server.ts";

/**
 * Passes requests and answers on without reading them: the upper bound of this runtime's own server
 * and client. Like the gateway, it sends each part of an answer at once. `no-transform`, because
 * Deno 2.8.2 otherwise compresses whole answers, which costs more than the rest of a call.
 */
const [port, upstream] = Deno.args;
const options = {
  hostname: "127.0.0.1",
  port: Number(port),
  onError: () => new Response(null, { status: 500 }),
  onAcceptFailure: (error: unknown) => console.error(error),
  onRefusal: () => {},
  limits: limitsSchema.parse({}),
  networks: { of: () => "", mayBeProxy: () => true },
};
serveHttp(options, async (request) => {
  const { pathname, search } = new URL(request.url);
  const answer = await fetch(upstream + pathname + search, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer x" },
    body: await request.bytes(),
    signal: request.signal,
  });
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      "content-type": answer.headers.get("content-type") ?? "",
      "cache-control": "no-transform",
    },
  });
});
console.log("ready");

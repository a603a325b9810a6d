/** `HEAD` as `GET`: the same checks, status and headers. The server leaves the body out. */
export function asGet(request: Request): Request {
  return new Request(request, { method: "GET" });
}

/** The answer to `HEAD` from that to `GET`. A stream would be made for nobody. */
export function headOf(response: Response): Response {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  void response.body?.cancel();
  return new Response(null, response);
}

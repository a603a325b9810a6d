/** Treats `HEAD` like `GET`: the same checks, status and headers. The server leaves the body out. */
export function asGet(request: Request): Request {
  return new Request(request, { method: "GET" });
}

/** The answer to `HEAD` from that to `GET`. Cancels a stream, because nobody would read it. */
export function headOf(response: Response): Response {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  void response.body?.cancel();
  return new Response(null, response);
}

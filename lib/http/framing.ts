/**
 * The reason why a request's head is ambiguous: a proxy may read it differently, and take a part of
 * the body for another request, or its address for another host (RFC 9112). Undefined for a clear
 * one. `docs/explanation/security.md` lists what the runtime hides.
 */
export function framingFault(headers: Headers): string | undefined {
  if (headers.get("host")?.includes(",")) return "it has more than one host";
  const coding = headers.get("transfer-encoding");
  if (coding === null) return undefined;
  if (headers.has("content-length")) return "it has both content-length and transfer-encoding";
  if (coding.toLowerCase() !== "chunked") return "its transfer-encoding is not chunked alone";
}

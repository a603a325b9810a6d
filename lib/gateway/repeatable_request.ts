import { createHash } from "node:crypto";
import { readByteBody } from "../http/body/body.ts";
import { readMultipart } from "../http/body/form.ts";
import type { Call } from "../http/call.ts";
import type { IdempotencyMark } from "../store/idempotency/mod.ts";
import { digestOf } from "../store/mod.ts";
import type { CallContext } from "./call_context.ts";
import { malformedKey } from "./idempotency_errors.ts";
import { admissionOf } from "./stages.ts";

/** A request with an idempotency key, whose body was read. */
export interface RepeatableRequest extends IdempotencyMark {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** Identifies the caller and reads the body. Throws the errors of both. */
export async function readRepeatable(
  key: string,
  { call, gateway, record }: CallContext,
): Promise<RepeatableRequest> {
  if (!keyPattern.test(key)) throw malformedKey();
  const caller = record.caller = await gateway.identify(call);
  const { bodyBytesMax, formBytesMax } = gateway.limits;
  const limits = { ...gateway.limits, bodyBytesMax: Math.max(bodyBytesMax, formBytesMax) };
  const admission = admissionOf({ call, caller, gateway });
  const bytes = await readByteBody(call.request, limits, { admission }) as Uint8Array<ArrayBuffer>; // sound: never a shared buffer
  gateway.assertRecording(); // behind the body: a client that still sends one may not read a refusal
  return {
    accountId: caller.key.accountId,
    keyDigest: digestOf(key),
    requestDigest: requestDigestOf(call, bytes),
    bytes,
  };
}

/** A digest of address and body. The parameter `key` is a credential, and each try has its own boundary. */
function requestDigestOf({ codec, wirePath, url, request }: Call, bytes: Uint8Array): string {
  const query = new URLSearchParams(url.search);
  query.delete("key");
  const hash = createHash("sha256").update(`${codec.name} ${wirePath} ${query}\n`);
  const contentType = request.headers.get("content-type");
  if (!contentType?.toLowerCase().startsWith("multipart/")) return hash.update(bytes).digest("hex");
  for (const { name, filename, start, end } of readMultipart(bytes, contentType)) {
    hash.update(`${JSON.stringify([name, filename, end - start])}\n`).update(
      bytes.subarray(start, end),
    );
  }
  return hash.digest("hex");
}

/** The call with the body that was read. It does not end when its caller disconnects. */
export function detachedCall(call: Call, bytes: Uint8Array<ArrayBuffer>): Call {
  const { signal } = new AbortController();
  const headers = new Headers(call.request.headers);
  headers.delete("content-encoding");
  headers.set("content-length", `${bytes.length}`);
  const request = new Request(call.url, { method: "POST", headers, body: bytes, signal });
  return { ...call, request, signal, completed: undefined }; // its body has its memory
}

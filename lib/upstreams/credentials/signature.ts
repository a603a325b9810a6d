import type { Outbound } from "../fetch.ts";
import type { Signing } from "../surfaces/mod.ts";
import type { Expiring } from "./renewed.ts";

/** Keys of AWS. Those with a session token end. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface SigningOptions {
  readonly keys: AwsKeys;
  readonly signing: Signing;
  readonly nowMs: number;
}

/**
 * The headers of a request with its signature (Signature Version 4), which is valid for some
 * minutes. The request must go out as it is: neither its path nor its body may change.
 */
export async function signedHeaders(
  { url, method = "POST", headers, body }: Pick<Outbound, "url" | "method" | "headers" | "body">,
  options: SigningOptions,
): Promise<Readonly<Record<string, string>>> {
  const signer = await signerOf({ url, method, headers, ...(body && { body }) }, options);
  return Object.fromEntries((await signer.sign()).headers);
}

/** The keys of a day, region and service, which four of a signature's five digests derive. */
const derivedKeys = new WeakMap<AwsKeys, Map<string, ArrayBuffer>>();

async function signerOf(
  request: Pick<Outbound, "url" | "method" | "body"> & {
    readonly headers?: Outbound["headers"];
    readonly signQuery?: true;
  },
  { keys, signing, nowMs }: SigningOptions,
) {
  const { AwsV4Signer } = await import("aws4fetch");
  const datetime = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const cache = derivedKeys.getOrInsertComputed(keys, () => new Map());
  return new AwsV4Signer({ ...request, ...keys, ...signing, datetime, cache });
}

/** The longest life of a bearer token of Bedrock. */
const mintedSeconds = 12 * 3_600;

/**
 * A bearer token of Bedrock, made from keys without a request. It ends with them, or after twelve
 * hours.
 */
export async function mintedToken(
  keys: Expiring<AwsKeys>,
  { signing, nowMs }: Omit<SigningOptions, "keys">,
): Promise<Expiring<string>> {
  const query = `Action=CallWithBearerToken&X-Amz-Expires=${mintedSeconds}`;
  const url = `https://bedrock.amazonaws.com/?${query}`;
  const options = { keys: keys.value, signing: { ...signing, service: "bedrock" }, nowMs };
  const signer = await signerOf({ url, method: "POST", signQuery: true }, options);
  const signed = String((await signer.sign()).url);
  const presigned = `${signed.replace("https://", "")}&Version=1`;
  return {
    value: `bedrock-api-key-${btoa(presigned)}`,
    endsAtMs: Math.min(nowMs + mintedSeconds * 1_000, keys.endsAtMs),
  };
}

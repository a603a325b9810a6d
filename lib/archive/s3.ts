import { AwsClient } from "aws4fetch";
import type { BucketSettings } from "../config.ts";
import { reasonOf } from "../telemetry/log.ts";
import { placeError } from "./error.ts";
import type { ArchivePlace } from "./place.ts";

/** Two of them take less time than the writer's lease lasts. */
const requestMs = 120_000;

/** Stores files as objects of a bucket, which is part of each address's path. */
export function s3Place(settings: BucketSettings): ArchivePlace {
  const { endpoint, bucket, prefix } = settings;
  const request = requester(settings);
  return {
    description: `the bucket ${bucket} at ${endpoint}`,
    put: async (name, { bytes, sha256 }, signal) => {
      const headers = {
        "content-type": "application/gzip",
        "x-amz-content-sha256": sha256, // the server compares it with the body
      };
      const response = await request("write", prefix + name, {
        ...{ method: "PUT", body: bytes, headers, signal },
      });
      await response.body?.cancel();
    },
    get: async (name, signal) => {
      const response = await request("read", prefix + name, { signal });
      return await response.bytes().catch((cause) => {
        throw placeError("read", prefix + name, reasonOf(cause), cause);
      });
    },
    remove: async (name) => {
      const response = await request("remove", prefix + name, { method: "DELETE" });
      await response.body?.cancel();
    },
  };
}

type Request = Pick<RequestInit, "method" | "body" | "headers" | "signal">;

/** Each request is tried once: the archiver's next pass tries again. */
function requester({ endpoint, bucket, region, accessKeyId, secretAccessKey }: BucketSettings) {
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region },
    service: "s3",
    retries: 0,
  });
  return async (verb: string, name: string, { signal, ...request }: Request): Promise<Response> => {
    const url = `${endpoint}/${bucket}/${name.split("/").map(encodeURIComponent).join("/")}`;
    const limits = [AbortSignal.timeout(requestMs), ...(signal ? [signal] : [])];
    const response = await client.fetch(url, {
      ...request,
      redirect: "error",
      signal: AbortSignal.any(limits),
    }).catch((cause) => {
      throw placeError(verb, name, reasonOf(cause), cause);
    });
    if (response.ok) return response;
    const text = await response.text().catch(() => "");
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
    throw placeError(verb, name, `the server answered ${response.status} ${code ?? ""}`.trimEnd());
  };
}

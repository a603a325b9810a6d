import { z } from "zod";
import { must, positiveInteger, strict } from "./fields.ts";

/** The place of the log's archive, and the days that stay in the store. Contains a secret. */
export interface LogArchiveSettings {
  /** Whole UTC days before today. */
  readonly keepDays: number;
  readonly place: FolderSettings | BucketSettings;
}

interface FolderSettings {
  readonly type: "folder";
  readonly path: string;
}

/** A bucket of any server with the API of S3. Contains a secret. */
export interface BucketSettings {
  readonly type: "s3";
  /** Such as `https://s3.eu-central-1.amazonaws.com`, without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Precedes the names of all objects; empty or ending in a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const folder = textField("the path of a folder");
const bucketText = "a bucket's name: letters, digits, dots, dashes and underscores";
const bucketName = z.string(must(bucketText)).regex(/^[\w.-]{1,255}$/, must(bucketText));
const endpointText = "an address such as https://s3.eu-central-1.amazonaws.com";
const endpoint = z.string(must(endpointText)).trim().refine(isEndpoint, must(endpointText))
  .transform((text) => text.replace(/\/+$/, ""));
const prefixText = "a prefix such as tessera/log, without . and .. between its slashes";
const prefix = z.string(must(prefixText)).trim()
  .refine((text) => !/(^|\/)\.{1,2}(\/|$)/.test(text), must(prefixText));

/** The part `logArchive` of the configuration file. */
export const logArchiveSchema = strict({
  folder: folder.optional().describe("Folder for the files, on a durable disk"),
  s3: strict({
    endpoint: endpoint.describe(
      "Address of the server, such as https://s3.eu-central-1.amazonaws.com",
    ),
    region: textField("a region such as eu-central-1").default("us-east-1"),
    bucket: bucketName,
    prefix: prefix.default("").describe("Precedes the names of all objects"),
    accessKeyId: textField("the ID of an access key"),
    secretAccessKey: textField("the secret of an access key").describe("Best as ${NAME}"),
  }).optional().describe("Bucket for the files, on any server with the API of S3"),
  keepDays: positiveInteger.default(30)
    .describe("Number of past days whose calls stay in the store, where the console lists them"),
}).superRefine(({ folder, s3 }, context) => {
  if ((folder === undefined) === (s3 === undefined)) {
    context.addIssue({ code: "custom", message: "must have either folder or s3" });
  }
});

/** Converts the fields of the file to the program's own. */
export function logArchiveSettings(
  { folder, s3, keepDays }: z.infer<typeof logArchiveSchema>,
): LogArchiveSettings {
  if (s3 === undefined) return { keepDays, place: { type: "folder", path: folder ?? "" } };
  const path = s3.prefix.replace(/^\/+|\/+$/g, "");
  return { keepDays, place: { type: "s3", ...s3, prefix: path === "" ? "" : `${path}/` } };
}

function textField(what: string) {
  return z.string(must(what)).trim().min(1, must(what));
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "" && url.search === "" && url.hash === "";
}

import { Buffer } from "node:buffer";
import { GatewayError } from "../../canonical/mod.ts";

/** A field or a file of a form, and the position of its value in the body. */
export interface FormPart {
  readonly name: string;
  /** Present for a file. */
  readonly filename?: string;
  readonly start: number;
  readonly end: number;
}

const partsMax = 256;
const headBytesMax = 4_096;

/**
 * The parts of a `multipart/form-data` body (RFC 7578), without copying their bytes. Accepts the
 * forms that clients send, and nothing ambiguous: the upstream must read the same values that the
 * gateway checks. Throws `unsupported_media_type` or `invalid_request`.
 */
export function readMultipart(bytes: Uint8Array, contentType: string | null): readonly FormPart[] {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const delimiter = `--${boundaryOf(contentType)}`;
  if (body.indexOf(delimiter) !== 0) throw malformed("it does not begin with its boundary");
  const parts: FormPart[] = [];
  for (let at = delimiter.length; body.subarray(at, at + 2).toString("latin1") !== "--";) {
    if (parts.length === partsMax) throw malformed(`it has more than ${partsMax} parts`);
    const part = partAt(body, at, `\r\n${delimiter}`);
    parts.push(part);
    at = part.end + delimiter.length + 2;
  }
  return parts;
}

/** The text of a part's value. */
export function partText(bytes: Uint8Array, { start, end }: FormPart): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

function boundaryOf(contentType: string | null): string {
  const [, type, quoted, plain] =
    /^(multipart\/form-data)\s*;.*?\bboundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(
      contentType ?? "",
    ) ?? [];
  if (type !== undefined) return quoted ?? plain;
  throw new GatewayError(
    "unsupported_media_type",
    "Cannot read request body: send multipart/form-data with its boundary",
  );
}

/** The part whose head starts with the line end at `at`. */
function partAt(body: Buffer, at: number, delimiter: string): FormPart {
  const headEnd = body.indexOf("\r\n\r\n", at);
  if (headEnd < 0 || headEnd - at > headBytesMax || body[at] !== 13 || body[at + 1] !== 10) {
    throw malformed("a part has no head, or one that is too long");
  }
  const start = headEnd + 4;
  const end = body.indexOf(delimiter, start);
  if (end < 0) throw malformed("its last boundary is missing");
  return { ...namesIn(body.toString("utf8", at + 2, headEnd)), start, end };
}

/** Quoted, as by nearly all clients, or bare, as by .NET; the file's name follows the field's. */
const disposition =
  /^content-disposition:\s*form-data;\s*name=(?:"([^"\\]*)"|([^\s;"'*=]+))(?:;\s*filename=(?:"([^"]*)"|([^\s;"]+))(?:;\s*filename\*=[^\s;]*)?)?\s*$/i;

function namesIn(head: string): Pick<FormPart, "name" | "filename"> {
  const lines = head.split("\r\n").filter((line) => /^content-disposition\s*:/i.test(line));
  const [, quoted, bare, quotedFile, bareFile] = disposition.exec(lines[0] ?? "") ?? [];
  const name = quoted ?? bare;
  if (lines.length !== 1 || name === undefined) {
    throw malformed("a part needs one content-disposition with one plain name");
  }
  const filename = quotedFile ?? bareFile;
  return { name, ...(filename !== undefined && { filename }) };
}

function malformed(problem: string): GatewayError {
  return new GatewayError(
    "invalid_request",
    `Cannot decode request: malformed form, ${problem}`,
  );
}

import type { Caller } from "../accounts/authorize.ts";
import { GatewayError } from "../canonical/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import { isTagKey, isTagValue, type Tag } from "../store/projects/mod.ts";

/** The header that names or tags a call. */
export const tagHeader = "tessera-tag";
const tagsMax = 5;

/**
 * The tags of a call: `tessera-tag: team=a,feature=b`. A text without `=` is the call's name and no
 * tag. Throws `invalid_request`, which names the faulty part.
 */
export function tagsOf(headers: Headers): readonly Tag[] {
  const text = headers.get(tagHeader)?.trim();
  if (!text?.includes("=")) return noTags;
  const tags = text.split(",").map((part) => tagIn(part.trim()));
  if (tags.length > tagsMax) throw malformed(`${tags.length} tags; a call has at most ${tagsMax}`);
  const repeated = tags.find(({ key }, at) => tags.findIndex((tag) => tag.key === key) < at);
  if (repeated) throw malformed(`the key ${repeated.key} occurs twice`);
  return tags;
}

const noTags: readonly Tag[] = [];

/** The caller with the tags of this call: at once, except for the first call with a tag. */
export function withTags(
  caller: Caller,
  headers: Headers,
  directory: Pick<Directory, "countTags">,
): Caller | Promise<Caller> {
  const tags = tagsOf(headers);
  if (tags.length === 0) return caller;
  const counted = directory.countTags(tags);
  if (!(counted instanceof Promise)) return { ...caller, tags: counted };
  return counted.then((tags) => ({ ...caller, tags }));
}

function tagIn(part: string): Tag {
  const at = part.indexOf("=");
  const [key, value] = at < 0 ? [part, ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  if (at < 0) throw malformed(`${quoted(part)} has no value; write key=value`);
  if (!isTagKey(key)) {
    throw malformed(`the key ${quoted(key)} is not 1 to 32 letters, digits, '_', '.' or '-'`);
  }
  if (!isTagValue(value)) {
    throw malformed(
      `the value ${
        quoted(value)
      } of ${key} is not 1 to 64 letters, digits or characters of _.:/@+-`,
    );
  }
  return { key, value };
}

const quotedMax = 70;

function quoted(text: string): string {
  return `'${text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text}'`;
}

function malformed(fault: string): GatewayError {
  return new GatewayError("invalid_request", `Cannot read the header ${tagHeader}: ${fault}`, {
    param: tagHeader,
  });
}

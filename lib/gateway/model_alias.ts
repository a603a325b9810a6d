import type { Codec } from "../formats/codec.ts";
import { type Decoded, decodedOf } from "../http/decode.ts";
import { withReadMember } from "../json/mod.ts";
import type { Upstream } from "../upstreams/upstream.ts";

/**
 * Before the name of a model in an alias. Claude Code lists only names that contain `claude` or
 * `anthropic`. A name of the vendor's form would give the model a window in the client, but the
 * client would also present the model under the name of the vendor's (2.1.332, 2026-11-30).
 */
const prefix = "claude-gw/";

/** The name under which Claude Code lists a model. A name that it keeps is its own alias. */
export function aliasOf(model: string): string {
  return /claude|anthropic/i.test(model) && !model.startsWith(prefix) ? model : prefix + model;
}

/** The real name behind an alias; undefined for a name that is no alias. */
export function aliasedModel(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

/**
 * The request with the real name of its model if it states an alias, so that access, prices, limits
 * and the log know one name alone. A model of an upstream that has exactly this name is no alias.
 */
export function withRealModel(
  decoded: Decoded,
  codec: Codec,
  upstreams: () => readonly Pick<Upstream, "models">[],
): Decoded {
  const { read, wire, envelope: { model } } = decoded;
  const value = aliasedModel(model);
  if (value === undefined || read.body.model !== model || isServed(model, upstreams())) {
    return decoded;
  }
  const renamed = withReadMember(read, "model", { value });
  return decodedOf(codec, { ...wire, body: renamed.body }, renamed);
}

function isServed(model: string, upstreams: readonly Pick<Upstream, "models">[]): boolean {
  return upstreams.some(({ models }) => models.some(({ id }) => id === model));
}

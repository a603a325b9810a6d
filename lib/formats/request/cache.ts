import type {
  Caching,
  CanonicalRequest,
  GatewayError,
  JsonObject,
  JsonValue,
} from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { defined, isEmpty, objectOf, textOrNothing } from "../wire_value.ts";

/**
 * `prompt_cache_options`, shared by chat-completions and responses (2026-11). By default, and with
 * `implicit`, the vendor sets a breakpoint at the prompt's end itself.
 */
export function decodeCacheOptions(
  { prompt_cache_options: wire }: JsonObject,
): Pick<CanonicalRequest, "cache" | "caching"> {
  const options = objectOf(wire);
  const ttl = textOrNothing(options.ttl);
  const onlyMarked = options.mode === "explicit" || undefined;
  const caching: Caching = defined({
    onlyMarked,
    ttl,
    prewarm: options.prewarm === true || undefined,
  });
  const isStated = options.mode === "implicit" || (ttl !== undefined && !onlyMarked);
  return {
    ...(isStated && { cache: defined({ ttl }) }),
    ...(!isEmpty(caching) && { caching }),
  };
}

/** The options for a caller of another format, if they differ from the vendor's default. */
export function encodeCacheOptions(
  { cache, caching }: CanonicalRequest,
  lifetimes: Lifetimes<string>,
): { readonly options?: JsonObject; readonly isShorter: boolean } {
  const asked = caching?.ttl ?? cache?.ttl;
  const fitted = asked === undefined ? undefined : fittedLifetime(asked, lifetimes);
  const options: JsonObject = defined({
    mode: caching?.onlyMarked && "explicit",
    ttl: fitted?.ttl === lifetimes[0] ? undefined : fitted?.ttl,
    prewarm: caching?.prewarm,
  });
  return {
    ...(!isEmpty(options) && { options }),
    isShorter: fitted?.isShorter ?? false,
  };
}

/**
 * Returns true if the options lose nothing in another format: canonical fields hold all of them
 * except the id of an answer to compare with, which only its own upstream knows.
 */
export function comparesNothing(options: JsonValue): boolean {
  const { comparison_response_id: id } = objectOf(options);
  return id === undefined || id === null;
}

/** Refuses a call that only fills a cache, if the target would answer and charge it. */
export function unwarmable(reason: string): GatewayError {
  return unsupported("caching.prewarm", `asks for a call without an answer, and ${reason}`);
}

/** The lifetimes of a format's breakpoints, shortest first, such as `5m` and `1h`. */
type Lifetimes<L extends string> = readonly [L, ...L[]];

/** The format's lifetime that replaces the requested one. */
export interface FittedLifetime<L extends string> {
  readonly ttl: L;
  /** True if it is shorter than requested. */
  readonly isShorter: boolean;
}

/** The next longer lifetime, else the longest. An unknown word counts as longer than all. */
export function fittedLifetime<L extends string>(
  ttl: string,
  lifetimes: Lifetimes<L>,
): FittedLifetime<L> {
  const asked = minutesOf(ttl);
  const fitting = lifetimes.find((one) => minutesOf(one) >= asked);
  return { ttl: fitting ?? lifetimes[lifetimes.length - 1], isShorter: fitting === undefined };
}

function minutesOf(ttl: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(ttl) ?? [];
  return count === undefined ? Infinity : Number(count) * minutesPer[unit];
}

const minutesPer: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };

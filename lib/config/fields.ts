import { isIP } from "node:net";
import { z } from "zod";
import {
  editDistance,
  hasHidden,
  isModelPattern,
  readRollingPeriod,
  rollingPattern,
} from "../canonical/mod.ts";
import { budgetPeriodPattern, budgetPeriods, readBudgetPeriod } from "../store/money/budget.ts";

/** Field types. Each states its allowed values in the error message. */

/** The longest delay of a timer. */
const timerMsMax = 2_147_483_647;

/** Messages for a wrong value and a missing one. */
export function must(what: string) {
  return {
    error: (issue: { readonly input?: unknown }) =>
      issue.input === undefined ? `is missing: it must be ${what}` : `must be ${what}`,
  };
}

/** An object that rejects unknown fields and suggests the closest known one. */
export function strict<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => unknownField(key, known)).join("; ")
        : must("an object").error(issue),
  });
}

export function fieldListOf<Item extends z.ZodType>(item: Item, what: string): z.ZodArray<Item> {
  return z.array(item, must(`a list of ${what}`));
}

export const flagField = z.boolean(must("true or false"));
/** The form of the log of calls. */
export const callLogField = z.enum(["off", "json"], must("off or json"));
export const positiveInteger = z.int(must("a positive integer")).positive(
  must("a positive integer"),
);

const originText = "an address without a path, such as https://gateway.example.com";
/** The origin of a site: scheme, host and, unless it is the default, port. */
export const origin = z.string(must(originText)).trim().refine(isOrigin, must(originText))
  .transform((text) => new URL(text).origin);

/** Returns true if a text is an http or https address with nothing after its host and port. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.pathname === "/" && url.search === "" && url.hash === "";
}

const pageOriginText = 'an origin such as https://app.example.com, or "*"';
/** The origin of a page, as browsers send it; apps have schemes of their own. */
export const pageOrigin = z.string(must(pageOriginText)).trim()
  .refine(isPageOrigin, must(pageOriginText)).transform(pageOriginOf);

export function isPageOrigin(text: string): boolean {
  if (text === "*" || /^https?:/.test(text)) return text === "*" || isOrigin(text);
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(text);
}

/** Normalizes an origin to the spelling that browsers send. */
export function pageOriginOf(text: string): string {
  return /^https?:/.test(text) ? new URL(text).origin : text;
}

export const integer = z.int(must("an integer"));

const milliseconds = `a positive integer of milliseconds, at most ${timerMsMax}`;
/** A duration in whole milliseconds that a timer can hold. */
export const timerMs = z.int(must("a positive integer")).positive(must("a positive integer"))
  .max(timerMsMax, must(milliseconds));

export const ratio = z.number(must("a number, 0 or more")).min(0, must("a number, 0 or more"));

const usd = "an amount of USD, 0 or more";
/** USD per million tokens. */
export const usdPerMillion = z.number(must(usd)).min(0, must(usd)).max(
  1_000_000,
  must("an amount of USD of at most 1000000"),
);

/** USD for a call, or for a thousand calls. */
export const usdAmount = usdPerMillion;

const budget = "an amount of USD above 0, at most 9000000";
export const budgetUsd = z.number(must(budget)).min(1e-9, must(budget)).max(
  9_000_000,
  must(budget),
);

const periodText = "day, week, month, total, session or a length such as 5h or 7d";
/** Normalized, so that equal lengths are equal. */
export const budgetPeriod = readAs(periodText, readBudgetPeriod)
  .meta({ pattern: budgetPeriodPattern.source, examples: [...budgetPeriods, "5h", "7d"] });

/** Normalized, so that equal lengths are equal. */
export const rollingLength = readAs("a length such as 5h or 7d", readRollingPeriod)
  .meta({ pattern: rollingPattern, examples: ["5h", "7d"] });

/** A text that `read` knows, as the value that it returns; `expected` is what the error asks for. */
function readAs<Value>(expected: string, read: (text: string) => Value | undefined) {
  return z.string(must(expected)).transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: `must be ${expected}` });
    return z.NEVER;
  });
}

const timeZoneText = "the name of a time zone such as Europe/Berlin, or UTC";
/** Normalized to the zone's canonical name. Rejects offsets, which do not follow summer time. */
export const timeZone = readAs(timeZoneText, (name) => knownTimeZone(name.trim()));

const idText = "1 to 64 letters, digits, dots, dashes or underscores";
/** The id of an upstream or a group. */
export const id = z.string(must(idText)).regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/, must(idText));

const modelNameText = "a model's name: 1 to 200 visible characters without spaces and without *";
export const modelName = z.string(must(modelNameText)).regex(
  /^[^\s*]{1,200}$/,
  must(modelNameText),
).refine(isModelPattern, must(modelNameText));

const modelPatternText = "a model's name or a pattern such as acme-*";
export const modelPattern = z.string(must(modelPatternText)).regex(
  /^\S{1,200}$/,
  must(modelPatternText),
).refine(isModelPattern, must(modelPatternText));

const labelText = "a text of 1 to 100 visible characters";
export const label = z.string(must(labelText)).trim().min(1, must(labelText))
  .max(100, must(labelText)).refine((text) => !hasHidden(text), must(labelText));

const credentialText = "a credential: printable characters without spaces";
export const credential = z.string(must(credentialText)).trim().regex(
  /^[\x21-\x7e]+$/,
  must(credentialText),
);

const metricsTokenText = "a token of at least 16 printable characters without spaces";
/** A refinement like that of `keyValue`. */
export const metricsToken = z.string(must(metricsTokenText)).trim()
  .refine((value) => /^[\x21-\x7e]{16,}$/.test(value), must(metricsTokenText));

const keyText = "an sk- string of at least 20 characters without spaces";
/** A refinement instead of a pattern, because the JSON schema must also admit `${NAME}`. */
export const keyValue = z.string(must(keyText)).trim()
  .refine((value) => /^sk-[\x21-\x7e]{17,}$/.test(value), must(keyText));

const addressText = "an address or a block of them, such as 203.0.113.7 or 10.0.0.0/8";
export const addressBlock = z.string(must(addressText)).refine(isAddressBlock, must(addressText));

const timeText = "a time such as 2030-01-31T12:00:00Z";
export const time = z.iso.datetime({ offset: true, ...must(timeText) });

/** Paths that a base URL must not end in, because we append them. */
const routes = [
  "/chat/completions",
  "/responses",
  "/messages",
  "/models",
] as const;

const baseUrlText = "a base URL such as https://api.example.com/v1";
export const baseUrl = z.string(must(baseUrlText)).superRefine((text, context) => {
  const fault = baseUrlFault(text);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
}).transform((text) => text.replace(/\/+$/, ""));

function baseUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return `must be ${baseUrlText}`;
  if (url.username !== "" || url.password !== "") {
    return "must be a base URL without user and password: put the credential in apiKeys";
  }
  if (url.search !== "" || url.hash !== "") return "must be a base URL without ? and #";
  const path = url.pathname.replace(/\/+$/, "");
  const route = routes.find((one) => path.endsWith(one));
  return route && `must be a base URL without ${route}, which is appended to it`;
}

function knownTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

/** Returns true if a text is an IP address, optionally with a prefix length. */
export function isAddressBlock(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

/** The caller prefixes the path, as if it were the unknown field's own. */
function unknownField(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return meant === undefined
    ? `has the unknown field ${key}; known fields are ${known.join(", ")}`
    : `has the unknown field ${key}; did you mean ${meant}?`;
}

/** Returns the candidate closest to a misspelled name; undefined if none is close. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates];
  const longer = names.find((candidate) => name.length > 2 && candidate.startsWith(name));
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? longer;
}

/** Returns true for the name of this machine, and for an address of its loopback. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

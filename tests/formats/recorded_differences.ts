import { type FormatName, isJsonObject } from "../../lib/canonical/mod.ts";
import type { Difference } from "./meaning.ts";

/** A difference that the conversion causes by rule, in every request. */
export interface ConversionRule {
  readonly path: RegExp;
  /** Default: every format. */
  readonly to?: readonly FormatName[];
  /** Returns true for this difference; absent if the path alone decides. */
  readonly is?: (difference: Difference, to: FormatName) => boolean;
  readonly reason: string;
}

const added = ({ expected }: Difference) => expected === undefined;
const lost = ({ actual }: Difference) => actual === undefined;
/** Pairs of a requested cache lifetime and its replacement in another format. */
const longer: ReadonlySet<string> = new Set(["5m 30m", "30m 1h", "1h 12h"]);

export const conversionRules: readonly ConversionRule[] = [
  {
    path: /^limits\.maxOutputTokens$/,
    to: ["messages"],
    is: added,
    reason: "The format requires a limit",
  },
  {
    path: /^store$/,
    is: ({ actual, expected }) => !actual && !expected,
    reason: "A vendor keeps nothing, whether by default or by word",
  },
  {
    path: /^output$/,
    is: (difference) =>
      lost(difference) && isJsonObject(difference.expected) && difference.expected.type === "text",
    reason: "Text is the default",
  },
  {
    path: /^output\.name$/,
    to: ["chat-completions", "responses"],
    is: ({ actual }) => actual === "response",
    reason: "The format requires a name",
  },
  {
    path: /^output\.(name|strict)$/,
    to: ["messages", "generate-content"],
    is: lost,
    reason: "The format has no place for it, and is always strict",
  },
  {
    path: /^tools\[\d+\]\.strict$/,
    is: ({ actual, expected }) => !actual && !expected,
    reason: "Not strict, whether by default or by word",
  },
  {
    path: /^reasoning$/,
    to: ["messages"],
    is: ({ actual, expected }) => actual === undefined && expected === "none",
    reason: "No thinking is the default",
  },
  {
    path: /\.continuation$/,
    is: ({ actual, expected }, to) =>
      actual === undefined && isJsonObject(expected) && expected.issuer !== to,
    reason: "A proof goes only to the vendor that issued it",
  },
  {
    path: /\.mediaType$/,
    is: ({ actual, expected }) => actual === undefined || expected === undefined,
    reason: "An address says itself what it holds; only some formats say it beside",
  },
  {
    path: /\.cache\.ttl$/,
    is: ({ actual, expected }) => longer.has(`${expected} ${actual}`),
    reason: "The next longer lifetime that the vendor has",
  },
  {
    path: /^cacheKey$/,
    to: ["messages"],
    is: lost,
    reason: "Breakpoints of the gateway's own do what it asks for",
  },
  {
    path: /\.cache$/,
    to: ["messages"],
    is: added,
    reason: "A prompt without breakpoints gets some",
  },
  {
    path: /(^cacheKey|\.cache)$/,
    to: ["generate-content"],
    is: lost,
    reason: "The vendor caches by itself",
  },
  {
    path: /\.detail$/,
    is: ({ actual, expected }) => (actual ?? expected) === "auto",
    reason: "The default, which one format requires to be said",
  },
  {
    path: /^toolChoice$/,
    to: ["messages"],
    is: added,
    reason: "The place where parallel calls are switched off",
  },
  {
    path: /^toolChoice$/,
    to: ["generate-content"],
    is: (difference) =>
      added(difference) && isJsonObject(difference.actual) && difference.actual.type === "auto",
    reason: "The place where tools are made strict",
  },
  {
    path: /^tools\[\d+\]\.parameters$/,
    to: ["generate-content"],
    is: lost,
    reason: "A function without arguments has no schema there",
  },
  {
    path: /\.citations\[\d+\]\.quote$/,
    to: ["responses"],
    is: lost,
    reason: "A citation names its source there, not the words",
  },
  {
    path: /^turns\[\d+\]\.parts\[\d+\]$/,
    to: ["generate-content"],
    is: ({ actual }) => isJsonObject(actual) && String(actual.text).startsWith("<system-reminder>"),
    reason: "A system message between turns is told by the user, in a tag",
  },
];

/** Recorded requests that a format must refuse. */
export const refusedRecordings: Readonly<
  Record<string, { readonly to: readonly FormatName[]; readonly reason: string }>
> = {
  nMultipleCompletionsParam: {
    to: ["responses", "messages"],
    reason: "Several answers at once cannot be asked for",
  },
};

/** Differences of a single recording, beyond its notes. */
export const recordingRules: Readonly<Record<string, readonly ConversionRule[]>> = {
  chatCompletionsUrlBackedVideoFileParam: [{
    path: /^turns\[0\]\.parts\[1\]/,
    reason: "What the file at an address is can only be told from its ending",
  }],
};

/** Differences between the requests of one case's recordings. */
interface AskedOtherwise {
  readonly path: RegExp;
  readonly reason: string;
}

const limit: AskedOtherwise = {
  path: /^limits\.maxOutputTokens$/,
  reason: "Recorded with a limit in some formats, and another or none in the rest",
};
const words: AskedOtherwise = {
  path: /^turns\[0\]\.parts\[0\]\.text$/,
  reason: "Recorded with other words",
};
const thinking: AskedOtherwise = {
  path: /^reasoning$/,
  reason: "Recorded with another effort in some formats, or with none said",
};
const strictness: AskedOtherwise = {
  path: /^(output|tools\[0\])\.strict$/,
  reason: "Recorded as strict only in the formats that say it",
};
const closedSchema: AskedOtherwise = {
  path: /\.additionalProperties$/,
  reason: "Recorded with a closed schema in some formats and an open one in the rest",
};
const cacheLifetime: AskedOtherwise = {
  path: /\.cache\.ttl$/,
  reason: "Recorded with a lifetime in one format",
};
const temperature: AskedOtherwise = {
  path: /^sampling\.temperature$/,
  reason: "Recorded with a temperature in one format",
};
const parallel: AskedOtherwise = {
  path: /^toolChoice$/,
  reason: "The place where parallel calls are switched off",
};

/** The requests themselves differ here; other tests check that the conversion keeps them. */
export const askedOtherwise: Readonly<Record<string, readonly AskedOtherwise[]>> = {
  chatCompletionsAssistantCacheControlParam: [limit, cacheLifetime],
  chatCompletionsSystemCacheControlParam: [limit, cacheLifetime],
  exclusiveMinimumToolParam: [closedSchema],
  jsonSchemaFormatParam: [limit, closedSchema, strictness, temperature],
  jsonSchemaMinimumMaximumParam: [limit, closedSchema, strictness, temperature],
  multimodalRequest: [{
    path: /^turns\[0\]\.parts\[1\]\.source/,
    reason: "Recorded with an address in some formats, and with bytes of two encodings in the rest",
  }],
  parallelToolCallsDisabledParam: [words, limit, closedSchema, strictness, parallel],
  promptCacheKeyParam: [words, limit, {
    path: /^(cacheKey|instructions\[0\])$/,
    reason: "Recorded with a key in some formats and with a marked system text in another",
  }],
  reasoningRequest: [limit, thinking],
  reasoningRequestTruncated: [thinking],
  responsesToolSearchInputParam: [limit, {
    path: /^(turns|tools)\[\d+\]/,
    reason: "Recorded with each vendor's own way of finding tools",
  }],
  simpleRequest: [limit, thinking, {
    path: /^verbosity$/,
    reason: "Recorded with a verbosity in one format",
  }],
  storeDisabledParam: [words],
  textFormatJsonSchemaParam: [words, limit, closedSchema, strictness],
  toolCallRequest: [limit],
  toolChoiceAnyParam: [limit],
  toolChoiceAutoParam: [limit],
  topPParam: [limit],
  webSearchToolAdvancedParam: [limit, {
    path: /^tools\[0\]\.(allowedDomains|maxUses)$/,
    reason: "Recorded with restrictions in the format that has them",
  }],
  webSearchToolParam: [limit],
};

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  collect,
  eventsOf,
  type FormatName,
  formatNames,
  GatewayError,
  isJsonObject,
  type JsonObject,
  repairTurns,
} from "../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../lib/formats/codec.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { ServerSentEvent, WireRequest } from "../../lib/formats/wire.ts";
import { refusalsOf } from "../strict/mod.ts";
import {
  harm,
  harmed,
  interleaved,
  oddAnswer,
  oddEvents,
  plainAnswer,
} from "./answers/arbitrary.ts";
import { assertLaws, assertValid, contextOf, decoded, encoded } from "./codec_suite.ts";
import {
  commonConversation,
  conversation,
  junk,
  mutated,
  oddConversation,
} from "./conversation.ts";
import { differences, essenceOf, meaningOf } from "./meaning.ts";
import { conversionRules } from "./recorded_differences.ts";
import { streamValidators } from "./validators/mod.ts";

/** Number of cases per law; the full run uses 10,000. */
const runs = Number(Deno.env.get("TESSERA_FUZZ") ?? 300);
/** The short run is always the same; a longer one uses a random seed, and prints it on failure. */
const settings = { numRuns: runs, ...(runs <= 300 && { seed: 20_261_121 }) };

const modelsOf = {
  "chat-completions": ["gpt-5.1", "gpt-4.1", "llama-4"],
  responses: ["gpt-5.1", "gpt-4.1"],
  messages: ["claude-sonnet-4-5", "claude-opus-5", "claude-sonnet-4-6"],
  "generate-content": ["gemini-3-pro-preview", "gemini-2.5-flash"],
} as const satisfies Record<FormatName, readonly string[]>;

const target = fc.constantFrom(
  ...formatNames.flatMap((format) => modelsOf[format].map((model) => ({ format, model }))),
);

Deno.test(`fuzz: a conversation that anyone could have had is taken by each vendor (${runs})`, () => {
  fc.assert(
    fc.property(conversation, target, (request, { format, model }) => {
      const wire = encodedFor({ ...request, model }, format);
      if (wire) assertEquals(refusalsOf(format, askedOf(wire)), []);
    }),
    settings,
  );
});

Deno.test(`fuzz: what all formats can say comes back unchanged from each (${runs})`, () => {
  fc.assert(
    fc.property(commonConversation, target, (request, { format, model }) => {
      const repaired = repairTurns({ ...request, model }).request;
      const { wire, notes } = encodeAtOnce(codecs[format], repaired);
      const body = JSON.parse(JSON.stringify(wire.body));
      const again = codecs[format].decodeRequest({ ...wire, body });
      const changed = differences(meaningOf(again), meaningOf(repaired)).filter((one) =>
        !conversionRules.some((rule) =>
          rule.path.test(one.path) && (rule.to?.includes(format) ?? true) &&
          (rule.is?.(one, format) ?? true)
        )
      );
      assertEquals([changed, notes], [[], []]);
    }),
    settings,
  );
});

Deno.test(`fuzz: an odd conversation is taken, or refused with a word (${runs})`, () => {
  fc.assert(
    fc.property(oddConversation, target, (request, { format, model }) => {
      encodedFor({ ...request, model }, format);
    }),
    settings,
  );
});

Deno.test(`fuzz: a hostile body is refused with a word, or means something (${runs})`, () => {
  const place = fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 6 });
  const hits = fc.array(fc.tuple(place, fc.option(junk, { nil: undefined })), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(conversation, target, hits, (request, { format, model }, hits) => {
      const wire = encodedFor({ ...request, model }, format);
      if (!wire) return;
      const body = hits.reduce<unknown>(
        (value, [at, by]) => mutated(value as JsonObject, at, by), // sound: mutation keeps JSON
        wire.body,
      );
      if (!isJsonObject(body)) return;
      const read = orRefused(() => codecs[format].decodeRequest({ ...wire, body }));
      if (!read) return;
      for (const other of formatNames) encodedFor({ ...read, model: modelsOf[other][0] }, other);
    }),
    settings,
  );
});

Deno.test(`fuzz: an answer says the same in every format, and keeps its protocol (${runs})`, () => {
  fc.assert(
    fc.property(plainAnswer, fc.constantFrom(...formatNames), (answer, format) => {
      const wire = encoded(codecs[format], eventsOf(answer), context);
      assertValid(codecs[format], wire);
      const again = decoded(codecs[format], wire);
      assertLaws(again);
      assertEquals(essenceOf(collect(again)), essenceOf(answer));
      const whole = codecs[format].decodeResponse(codecs[format].encodeResponse(answer, context));
      assertEquals(essenceOf(whole), essenceOf(answer));
    }),
    settings,
  );
});

Deno.test(`fuzz: whatever an upstream said, the caller's stream keeps its protocol (${runs})`, () => {
  fc.assert(
    fc.property(
      oddEvents,
      fc.constantFrom(...formatNames),
      conversation,
      (events, format, request) => {
        const wire = encoded(codecs[format], events, { ...context, request });
        assertKept(format, wire);
        if (events.at(-1)?.type === "error") assertEnded(format, wire);
        else codecs[format].encodeResponse(collect(events), { ...context, request });
      },
    ),
    settings,
  );
});

Deno.test(`fuzz: a hostile stream ends properly in every format (${runs})`, () => {
  const harms = fc.array(harm, { minLength: 1, maxLength: 4 });
  const from = fc.constantFrom(...formatNames);
  fc.assert(
    fc.property(
      oddAnswer,
      oddAnswer,
      from,
      harms,
      fc.boolean(),
      (one, other, from, harms, twice) => {
        const wire = encoded(codecs[from], eventsOf(one), context);
        const both = twice
          ? interleaved(wire, encoded(codecs[from], eventsOf(other), context))
          : wire;
        const spoiled = harms.reduce<readonly ServerSentEvent[]>(harmed, both);
        observe(from, spoiled);
        const canonical = survived(from, spoiled);
        if (canonical[0]?.type !== "error") assertLaws(canonical); // it may fail before it begins
        for (const to of formatNames) {
          // requests in their own format are passed through, not re-encoded
          if (to !== from) assertKept(to, encoded(codecs[to], canonical, context));
        }
      },
    ),
    settings,
  );
});

const context = {
  ...contextOf({}),
  request: {
    ...contextOf({}).request,
    reasoning: { effort: "medium" as const, mode: "enabled" as const, summary: "auto" as const },
  },
};

/** Fragments of arguments pass unchanged, so arguments that the upstream cut stay cut. */
const cutArguments = /^the input of block \d+ is not JSON$/;

function assertKept(format: FormatName, wire: readonly ServerSentEvent[]): void {
  const validator = streamValidators[format]();
  for (const event of wire) validator.push(event);
  assertEquals(validator.end().filter((violation) => !cutArguments.test(violation)), []);
}

/** A broken stream is never reported as complete. */
function assertEnded(format: FormatName, wire: readonly ServerSentEvent[]): void {
  const usageReader = codecs[format].usageReader.stream();
  for (const event of wire) usageReader.push(event);
  assert(usageReader.result().outcome !== "completed", "a broken stream was told as complete");
}

/** The gateway observes native streams: no content may make it fail. */
function observe(format: FormatName, events: readonly ServerSentEvent[]): void {
  const validator = streamValidators[format]();
  const usageReader = codecs[format].usageReader.stream();
  for (const event of events) {
    validator.push(event);
    usageReader.push(event);
  }
  validator.end();
  usageReader.result();
}

/** The decoder's events; its refusal ends the stream. */
function survived(format: FormatName, events: readonly ServerSentEvent[]): CanonicalEvent[] {
  const decoder = codecs[format].eventDecoder();
  const canonical: CanonicalEvent[] = [];
  try {
    for (const event of events) {
      canonical.push(...decoder.push(event));
      const last = canonical.at(-1)?.type;
      if (last === "end" || last === "error") return canonical; // the gateway reads no further
    }
    canonical.push(...decoder.end());
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    canonical.push({ type: "error", error });
  }
  return canonical;
}

/** The wire request for an upstream; undefined if it was refused with a `GatewayError`. */
function encodedFor(request: CanonicalRequest, format: FormatName): WireRequest | undefined {
  const repaired = repairTurns(request).request;
  const encoded = orRefused(() => encodeAtOnce(codecs[format], repaired));
  if (!encoded) return undefined;
  for (const { path, reason } of encoded.notes) assert(path !== undefined && reason !== "");
  return { ...encoded.wire, body: JSON.parse(JSON.stringify(encoded.wire.body)) };
}

function askedOf({ path, headers, body }: WireRequest) {
  // the upstream's own version is added when the request is sent
  return { path, headers: new Headers({ "anthropic-version": "2023-06-01", ...headers }), body };
}

function orRefused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

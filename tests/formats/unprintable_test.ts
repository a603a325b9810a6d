import { assert } from "@std/assert";
import fc from "fast-check";
import {
  eventsOf,
  type FormatName,
  formatNames,
  GatewayError,
  type JsonObject,
  type JsonValue,
} from "../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../lib/formats/codec.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { ServerSentEvent } from "../../lib/formats/wire.ts";
import { oddAnswer } from "./answers/arbitrary.ts";
import { contextOf, encoded } from "./codec_suite.ts";
import { conversation } from "./conversation.ts";
import { streamValidators } from "./validators/mod.ts";

/** JSON that JavaScript cannot turn into a text or a number: either throws a `TypeError`. */
const unprintable: JsonObject = { toString: [], valueOf: [] };

const context = contextOf({});
const settings = { numRuns: 40, seed: 20_261_124 };
const model = "gpt-5.1";

for (const format of formatNames) {
  const codec = codecs[format];

  Deno.test(`${format}: streams with a value that has no text end or go on`, () => {
    each(oddAnswer, (answer) => {
      const events = encoded(codec, eventsOf(answer), context);
      for (const stream of harmedStreams(events)) readStream(format, stream);
    });
    const failed = codec.encodeStreamError(
      new GatewayError("upstream_overloaded", "busy"),
      "req_1",
    );
    for (const stream of harmedStreams(failed)) readStream(format, stream);
  });

  Deno.test(`${format}: whole answers with a value that has no text are read or refused`, () => {
    each(oddAnswer, (answer) => {
      for (const body of harmedValues(codec.encodeResponse(answer, context))) {
        typed(() => codec.decodeResponse(body));
        typed(() => codec.usageReader.usage(body));
        codec.decodeError({ status: 400, headers: {}, body });
      }
      const error = new GatewayError("rate_limit_exceeded", "too many");
      const { status, headers, body } = codec.encodeError(error, "req_1");
      for (const harmed of harmedValues(body)) codec.decodeError({ status, headers, body: harmed });
    });
  });

  Deno.test(`${format}: requests with a value that has no text are read or refused`, () => {
    each(conversation, (request) => {
      const { wire } = encodeAtOnce(codec, { ...request, model });
      for (const value of harmedValues(wire.body)) {
        const body = value as JsonObject; // sound: only values within it change
        typed(() => codec.envelope({ ...wire, body }));
        typed(() => codec.decodeRequest({ ...wire, body }));
      }
    });
  });
}

function each<T>(arbitrary: fc.Arbitrary<T>, run: (one: T) => void): void {
  fc.assert(fc.property(arbitrary, run), settings);
}

function readStream(format: FormatName, events: readonly ServerSentEvent[]): void {
  const codec = codecs[format];
  const decoder = codec.eventDecoder();
  const reader = codec.usageReader.stream();
  const validator = streamValidators[codec.name]();
  for (const event of events) {
    validator.push(event);
    reader.push(event);
    reader.sent(event);
    decoder.push(event);
  }
  validator.end();
  reader.result();
  decoder.end();
}

/** The stream once for each value in it, with that value harmed. */
function* harmedStreams(events: readonly ServerSentEvent[]): Generator<ServerSentEvent[]> {
  for (const [at, event] of events.entries()) {
    if (!event.data.startsWith("{")) continue;
    for (const value of harmedValues(JSON.parse(event.data))) {
      yield events.with(at, { ...event, data: JSON.stringify(value) });
    }
  }
}

/** The value once for each value in it, with that one replaced. */
function* harmedValues(value: unknown): Generator<JsonValue> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const harmed of [unprintable, ...harmedValues(inner)]) {
      const copy: JsonValue = Array.isArray(value)
        ? value.with(Number(key), harmed)
        : { ...value, [key]: harmed };
      yield copy;
    }
  }
}

function typed(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    assert(error instanceof GatewayError, `not a GatewayError: ${error}`);
  }
}

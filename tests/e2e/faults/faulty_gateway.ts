import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";
import { speeches } from "../interruptions/interrupted_wire.ts";
import { ofSize } from "../load/sized_body.ts";
import { type FaultUpstream, pathName } from "./fault_upstream.ts";
import { type Fault, faults } from "./faults.ts";

const mebibyte = 1024 * 1024;

/** The prompt of every call and the credential of every upstream; no log may hold them. */
export const prompt = "Tell me a story of a fox";
export const credential = "up-credential-of-the-faulty";

/** The id of the upstream that is asked when the one with the fault has failed. */
export const healthyId = (format: FormatName) => `healthy-${format}`;

/** A name that routes to one fault in one format, and that no other call has. */
export function modelFor(fault: Fault, format: FormatName, caller: string): string {
  return `${pathName(fault.name)}@${format}.${caller}`;
}

/**
 * A gateway whose models name the fault of the upstream that serves them, each fault in each format
 * as an upstream of its own; with a second, healthy one behind each, or without. No breaker opens:
 * what each call gets is looked at here.
 */
export function startFaultyGateway(
  upstream: FaultUpstream,
  options: { readonly withSecond: boolean },
): Promise<TestGateway> {
  return startGateway(faultyConfig(upstream, options));
}

/** The configuration of a gateway with faults. */
export function faultyConfig(
  upstream: FaultUpstream,
  { withSecond }: { readonly withSecond: boolean },
): Record<string, unknown> {
  return {
    limits: {
      breakerFailuresMax: 1_000_000,
      breakerWindowFailuresMax: 1_000_000,
      attemptsWaitMs: 100,
      answerTailMs: 2_000,
      answerBytesMax: 8 * mebibyte,
      eventBytesMax: 8 * mebibyte,
    },
    groups: [{ id: "default", priceRatio: 1 }],
    keys: [{
      name: "test",
      group: "default",
      value: testKey,
      budget: { usd: 1_000, period: "total" },
      limits: { concurrency: 1_000, requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000 },
    }],
    models: priced,
    upstreams: formatNames.flatMap((format) => [
      ...faults.map((fault) => faulty(upstream, fault, format)),
      ...(withSecond ? [healthy(upstream, format)] : []),
    ]),
  };
}

const callers = formatNames.flatMap((format) => [`${format}.whole`, `${format}.streamed`]);
const priced = faults.flatMap((fault) =>
  formatNames.flatMap((format) =>
    callers.map((caller) => ({
      id: modelFor(fault, format, caller),
      price: { input: 1, output: 2 },
    }))
  )
);

function faulty(upstream: FaultUpstream, fault: Fault, format: FormatName) {
  return {
    id: `${pathName(fault.name)}-${format}`,
    endpoints: {
      [format]: fault.refuses ? upstream.refusing : upstream.base(fault.name, format),
    },
    apiKeys: [credential],
    models: [`${pathName(fault.name)}@${format}.*`],
    priority: 1,
    ...(fault.timeouts && { timeouts: fault.timeouts }),
  };
}

function healthy(upstream: FaultUpstream, format: FormatName) {
  return {
    id: healthyId(format),
    endpoints: { [format]: upstream.base("healthy", format) },
    apiKeys: [credential],
    models: [`*@${format}.*`],
  };
}

/** The request of a call. */
export interface Asking {
  readonly model: string;
  readonly stream: boolean;
  /** About how large its body is; as small as can be where nothing is said. */
  readonly bytes?: number;
}

/** A call for a model in a caller's format. */
export function requestTo(format: FormatName, { model, stream, bytes = 0 }: Asking) {
  const { path, wholePath, request } = speeches[format];
  const asked = { ...Object(request(prompt, stream)) };
  if ("model" in asked) asked.model = model;
  return {
    path: (stream ? path : wholePath).replace("/m:", `/${model}:`),
    body: JSON.stringify(ofSize(format, asked, bytes)),
  };
}

export function postTo(
  { base }: { readonly base: string },
  format: FormatName,
  { init, ...asking }: Asking & { readonly init?: RequestInit },
): Promise<Response> {
  const { path, body } = requestTo(format, asking);
  return fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body,
    ...init,
  });
}

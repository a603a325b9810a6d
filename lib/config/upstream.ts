import { z } from "zod";
import { type FormatName, formatNames } from "../canonical/mod.ts";
import type { DeclaredUpstream } from "../store/catalog/declared.ts";
import type { Cloud } from "../store/catalog/mod.ts";
import { usualTimeouts } from "../store/kv/timeouts.ts";
import {
  checkedCredential,
  credentialSource,
  misplacedCredential,
} from "../upstreams/credentials/mod.ts";
import {
  type Preset,
  presetEndpoints,
  presetNamed,
  presetNames,
} from "../upstreams/presets/mod.ts";
import {
  missingOf,
  surfaceEndpoints,
  surfaceModels,
  surfaceTable,
} from "../upstreams/surfaces/mod.ts";
import { mayCarryCredential } from "../upstreams/upstream.ts";
import { cloudField } from "./cloud.ts";
import {
  baseUrl,
  fieldListOf,
  flagField,
  id,
  integer,
  modelPattern,
  must,
  nearest,
  positiveInteger,
  strict,
  timerMs,
} from "./fields.ts";
import { costsSchema } from "./price.ts";

const timeoutsSchema = strict({
  connectMs: timerMs.default(usualTimeouts.connectMs).describe("Time limit for connecting"),
  firstByteMs: timerMs.default(usualTimeouts.firstByteMs).describe(
    "Time limit from the end of the request to the first byte of the answer's body",
  ),
  idleMs: timerMs.default(usualTimeouts.idleMs).describe(
    "Time limit between two bytes of an answer",
  ),
  totalMs: timerMs.default(usualTimeouts.totalMs).describe("Time limit for the whole call"),
});

const endpointsSchema = strict(
  {
    "chat-completions": baseUrl.optional().describe("Such as https://api.example.com/v1"),
    "responses": baseUrl.optional().describe("Such as https://api.example.com/v1"),
    "messages": baseUrl.optional().describe("Such as https://api.example.com"),
    "generate-content": baseUrl.optional().describe("Such as https://api.example.com/v1beta"),
  } satisfies Record<FormatName, z.ZodType>,
).refine((endpoints) => formatNames.some((name) => endpoints[name] !== undefined), {
  error: `must name a base URL for at least one of ${formatNames.join(", ")}`,
});

const upstreamModelSchema = z.union([
  modelPattern,
  strict({
    id: modelPattern.describe("The public name"),
    upstreamModel: modelPattern.optional().describe(
      "The upstream's own name of the model, if it differs; its * is replaced by the match of id's *",
    ),
  }),
], must("a model's name, or an object with id and upstreamModel"));

const headerText = "the name of a header that may carry a credential, such as x-api-key";
const authSchema = strict({
  header: z.string(must(headerText)).regex(/^[A-Za-z0-9-]+$/, must(headerText))
    .refine(mayCarryCredential, must(headerText))
    .describe("The header that carries the credential"),
  prefix: z.string(must("a text")).regex(/^[\x20-\x7e]*$/, must("printable characters")).optional()
    .describe('Prefix of the credential, such as "Bearer "'),
});

const presetSchema = z.enum(presetNames, {
  error: ({ input }) => {
    const meant = typeof input === "string" ? nearest(input, presetNames) : undefined;
    return meant === undefined
      ? `must be one of ${presetNames.join(", ")}`
      : `must be the name of a preset; did you mean ${meant}?`;
  },
});

/** A static secret, or a credential source as an object or as its JSON; kept as text. */
const credentialField = z.union([
  z.string(must("a credential")).transform((entered, context) => {
    const checked = checkedCredential(entered);
    if ("secret" in checked) return checked.secret;
    context.addIssue({ code: "custom", message: checked.fault });
    return z.NEVER;
  }),
  credentialSource.transform((source) => JSON.stringify(source)),
], must("a credential, or a credential source such as one of Google's files"));

export const upstreamSchema = strict({
  id: id.describe("Name of the upstream in logs and in the console"),
  preset: presetSchema.optional()
    .describe("Preset of the vendor or server; supplies every field that is not set here"),
  baseUrl: baseUrl.optional()
    .describe("Base URL, if it differs from the preset's"),
  endpoints: endpointsSchema.optional()
    .describe("Base URL for each format of the upstream; absent: the preset's"),
  apiKeys: fieldListOf(credentialField, "credentials").default([])
    .describe(
      "Credentials, used in turn: secrets, or sources of tokens and keys; empty for an upstream without credentials",
    ),
  auth: authSchema.optional()
    .describe("Header of the credential, if it differs from that of the preset or the format"),
  models: fieldListOf(upstreamModelSchema, "models").optional()
    .describe(
      "Models that it serves: public names, patterns, or pairs of a public name and its own",
    ),
  priority: integer.optional().describe("Upstreams with a higher priority are tried first (0)"),
  weight: positiveInteger.default(1).describe("Its share among upstreams of the same priority"),
  groups: fieldListOf(z.union([z.literal("*"), id], must('a group\'s id or "*"')), "groups' ids")
    .default(["*"]).describe('Groups that it serves; "*" means all'),
  timeouts: timeoutsSchema.prefault({}).describe("Timeouts in milliseconds"),
  cloud: cloudField.optional()
    .describe("The cloud that serves it; supplies the base URLs in place of a preset"),
  enabled: flagField.default(true).describe("Enable calls to it"),
  apiVersion: z.string(must("a version such as 2023-06-01"))
    .regex(/^[\x21-\x7e]+$/, must("a version such as 2023-06-01")).optional()
    .describe(
      "anthropic-version for the messages format if the caller sends none (2023-06-01)",
    ),
  automaticCaching: flagField.optional().describe(
    "Sets cache breakpoints in prompts that are converted to the messages format (true)",
  ),
  websocket: flagField.optional().describe(
    "Calls of callers' WebSockets go over a WebSocket that is kept between turns; for upstreams that offer one in the responses format (false)",
  ),
  retry: flagField.optional().describe(
    "Tries a call once more if it failed with 500, 502, 503 or 529, or its connection broke, and no other upstream is left (true)",
  ),
  ownCompaction: flagField.optional().describe(
    "true if the upstream compacts conversations itself in the caller's format, false if the gateway must; absent: true for OpenAI, Azure and Anthropic",
  ),
  costs: costsSchema.optional()
    .describe("Cost of its calls for the operator; absent: the models' list prices"),
}).superRefine((upstream, context) => {
  const fault = addressFault(upstream, presetNamed(upstream.preset)) ?? keysFault(upstream);
  if (!fault) return;
  context.addIssue({ code: "custom", path: [fault.field], message: fault.message });
});

export type UpstreamOfFile = z.infer<typeof upstreamSchema>;

interface AddressFault {
  readonly field: "baseUrl" | "cloud" | "endpoints" | "apiKeys" | "preset";
  readonly message: string;
}

type Address = Pick<UpstreamOfFile, "baseUrl" | "cloud" | "endpoints" | "apiKeys" | "preset">;

function keysFault({ apiKeys, cloud }: Address): AddressFault | undefined {
  const message = misplacedCredential(apiKeys, cloud);
  return message === undefined ? undefined : { field: "apiKeys", message };
}

function addressFault(
  { baseUrl: own, cloud, endpoints, apiKeys, preset: named }: Address,
  preset: Preset | undefined,
): AddressFault | undefined {
  if (cloud !== undefined && named !== undefined) {
    return { field: "preset", message: presetBesideCloud };
  }
  if (endpoints !== undefined) {
    return own === undefined ? undefined : { field: "baseUrl", message: baseBesideEndpoints };
  }
  if (cloud !== undefined) return cloudFault(cloud, own);
  if (preset === undefined) {
    return own === undefined
      ? { field: "endpoints", message: noAddress }
      : { field: "baseUrl", message: baseWithoutPreset };
  }
  if (own !== undefined) return doubledPath(own, preset);
  if (preset.baseUrl === undefined) {
    return { field: "baseUrl", message: `is missing: it must be ${exampleOf(preset)}` };
  }
  return preset.needsKey && apiKeys.length === 0
    ? { field: "apiKeys", message: `must contain a key of ${preset.name}: see ${preset.keysUrl}` }
    : undefined;
}

function cloudFault(cloud: Cloud, own: string | undefined): AddressFault | undefined {
  const [missing] = missingOf(cloud);
  if (missing !== undefined) {
    return { field: "cloud", message: `needs ${missing} on the surface ${cloud.surface}` };
  }
  const { baseUrl, baseUrlExample } = surfaceTable[cloud.surface];
  return own === undefined && baseUrl === undefined
    ? { field: "baseUrl", message: `is missing: it must be an address such as ${baseUrlExample}` }
    : undefined;
}

const presetBesideCloud = "cannot be combined with cloud, whose surface says the same";
const noAddress = "is missing: set the base URL for each format, or a preset";
const baseWithoutPreset =
  "requires a preset, which knows what to append to it; without a preset, set endpoints";
const baseBesideEndpoints = "cannot be combined with endpoints, which are complete base URLs";

/** Rejects a base URL that ends in a path that we would append again. */
function doubledPath(own: string, preset: Preset): AddressFault | undefined {
  const paths = Object.values(preset.paths).filter((path) => path !== "");
  const doubled = paths.find((path) => own.endsWith(path));
  return doubled === undefined
    ? undefined
    : { field: "baseUrl", message: `must not end in ${doubled}: the preset appends it` };
}

function exampleOf({ name, baseUrlExample }: Preset): string {
  return `the address of your ${name}, such as ${baseUrlExample}`;
}

/** Serves models that no other upstream lists, after all upstreams that list the name. */
const anything = { models: ["*"], priority: -1 } as const;
const withoutPreset = { models: ["*"], priority: 0 } as const;

/** An upstream of the file with the defaults of its preset, in the program's own field names. */
export function declaredUpstream(
  { apiKeys, apiVersion, baseUrl: own, cloud, endpoints, models, priority, ...upstream }:
    UpstreamOfFile,
): DeclaredUpstream {
  const preset = presetNamed(upstream.preset);
  const base = own ?? preset?.baseUrl ?? "";
  const known = cloud
    ? { models: surfaceModels(cloud), priority: 0 }
    : preset === undefined
    ? withoutPreset
    : rulesOf(preset);
  const served = models ?? known.models;
  const addresses = cloud ? surfaceEndpoints(cloud, own) : preset && presetEndpoints(preset, base);
  return {
    ...upstream,
    ...(cloud && { cloud }),
    endpoints: endpoints ?? addresses ?? {},
    credentials: apiKeys,
    ...present({ auth: upstream.auth ?? preset?.auth, messagesVersion: apiVersion }),
    models: served.map((model) => typeof model === "string" ? { id: model } : model),
    priority: priority ?? (models === undefined ? known.priority : 0),
  };
}

function rulesOf({ models }: Preset) {
  return models === undefined ? anything : { models, priority: 0 };
}

/** Removes undefined members, so that records compare and print as if those had never been set. */
export function present<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Fields>; // the same fields without the undefined ones
}

import { signer, stableJson } from "../proof.ts";
import { schemaFaults, strictDialects } from "../schema_rules.ts";
import type { Rule } from "../vendor.ts";
import { type Content, dataFields, type GenerateBody, type GeneratePart } from "./schema.ts";

/** Signs a part: the signature covers this call, or marks a text. */
export const thoughtSignature = signer("generate-content-vendor");

/** The vendor's documented placeholder for lost signatures. */
export const skipped = "skip_thought_signature_validator";

type GenerateRule = Rule<GenerateBody>;

const modelOf = (path: string) => decodeURIComponent(/\/models\/(.+):/.exec(path)?.[1] ?? "");
/** Third generation and later. */
const signs = (path: string) => /gemini-[3-9]/.test(modelOf(path));

/** Rules of the generate-content vendor beyond the body's schema. */
export const generateRules: readonly GenerateRule[] = [
  {
    name: "one datum in a part",
    source: "generate-content 2.3",
    violations: function* ({ contents }) {
      for (const { parts } of contents) {
        for (const part of parts) {
          const count = dataFields.filter((field) => part[field] !== undefined).length;
          if (count !== 1) {
            yield "contents.parts: required oneof field 'data' must have one initialized field";
          }
        }
      }
    },
  },
  {
    name: "empty texts",
    source: "generate-content 3",
    violations: function* ({ contents, systemInstruction }) {
      for (const { parts } of contents) {
        for (const part of parts) {
          if (part.text === "" && part.thoughtSignature === undefined) {
            yield "contents.parts: text must not be empty";
          }
        }
      }
      if (systemInstruction?.parts.some(({ text }) => text === "")) {
        yield "systemInstruction: text must not be empty";
      }
    },
  },
  {
    name: "alternating turns",
    source: "generate-content 3",
    violations: function* ({ contents }) {
      if (contents[0].role === "model") {
        yield "Please ensure that the conversation starts with a user turn";
      }
      const roles = contents.map(({ role }) => role ?? "user");
      if (roles.some((role, index) => role === "model" && role === roles[index - 1])) {
        yield "Please ensure that multiturn requests alternate between user and model";
      }
      if (roles.at(-1) === "model") {
        yield "Please ensure that multiturn requests end with a user turn or a function response";
      }
    },
  },
  {
    name: "parts of a role",
    source: "generate-content 3",
    violations: function* ({ contents }) {
      for (const { role, parts } of contents) {
        const wrong = role === "model" ? "functionResponse" : "functionCall";
        if (parts.some((part) => part[wrong] !== undefined)) {
          yield `${wrong} is not allowed in a turn of ${role ?? "user"}`;
        }
      }
    },
  },
  {
    name: "number of function responses",
    source: "generate-content 3",
    violations: function* ({ contents }) {
      for (const [index, { parts }] of contents.entries()) {
        const calls = parts.filter(isCall).length;
        const responses = contents[index + 1]?.parts.filter(isResponse).length ?? 0;
        if (calls > 0 && responses !== calls) {
          yield "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
        }
      }
    },
  },
  {
    name: "function responses after their calls",
    source: "generate-content 3",
    violations: function* ({ contents }) {
      for (const [index, content] of contents.entries()) {
        yield* matchFaults(contents[index - 1], content);
      }
    },
  },
  {
    name: "thought signatures of calls",
    source: "generate-content 3",
    violations: function* ({ contents }, { path }) {
      if (!signs(path)) return;
      const asked = contents.findLastIndex(({ role, parts }) =>
        role !== "model" && !parts.some(isResponse)
      );
      for (const { role, parts } of contents.slice(asked + 1)) {
        if (role !== "model") continue;
        const first = parts.find(isCall);
        if (first && first.thoughtSignature === undefined) {
          yield "Function call is missing a thought_signature in functionCall parts";
        }
      }
    },
  },
  {
    name: "genuine thought signatures",
    source: "generate-content 3",
    violations: function* ({ contents }) {
      for (const part of contents.flatMap(({ parts }) => parts)) {
        const { thoughtSignature: proof } = part;
        if (proof === undefined || proof === skipped) continue;
        if (!isGenuine(part)) yield "Invalid/Corrupted thought signature";
      }
    },
  },
  {
    name: "budget or level",
    source: "generate-content 2.2",
    violations: function* ({ generationConfig }, { path }) {
      const config = generationConfig?.thinkingConfig;
      if (!config) return;
      if (config.thinkingBudget !== undefined && config.thinkingLevel !== undefined) {
        yield "You can only set only one of thinking budget and thinking level.";
      }
      const model = modelOf(path);
      if (/gemini-(1|2\.0)/.test(model)) yield "Thinking is not supported by this model";
      if (/gemini-2\.5/.test(model) && config.thinkingLevel) {
        yield "Thinking level is not supported for this model.";
      }
      yield* budgetFaults(model, config.thinkingBudget);
      const floor = /pro/.test(model) && /^minimal$/i.test(config.thinkingLevel ?? "");
      if (floor) yield "Thinking level MINIMAL is not supported for this model.";
    },
  },
  {
    name: "function names",
    source: "generate-content 2.4",
    violations: function* (body) {
      const names = functionNames(body);
      if (new Set(names).size < names.length) yield "Duplicate function declaration found";
      const allowed = body.toolConfig?.functionCallingConfig?.allowedFunctionNames ?? [];
      for (const name of allowed) {
        if (!names.includes(name)) {
          yield `allowed_function_names contains an unknown function ${name}`;
        }
      }
    },
  },
  {
    name: "function calling config",
    source: "generate-content 2.4",
    violations: function* (body) {
      const config = body.toolConfig?.functionCallingConfig;
      if (!config) return;
      if (functionNames(body).length === 0) {
        yield "Function calling config is set without function_declarations";
      }
      const named = (config.allowedFunctionNames ?? []).length > 0;
      if (named && config.mode !== "ANY" && config.mode !== "VALIDATED") {
        yield "allowed_function_names should only be set when mode is ANY or VALIDATED";
      }
    },
  },
  {
    name: "function schemas",
    source: "conversions 5",
    violations: function* ({ tools = [] }) {
      for (
        const declaration of tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      ) {
        const { parameters, parametersJsonSchema, name } = declaration;
        if (parameters && parametersJsonSchema) {
          yield `${name}: parameters and parametersJsonSchema exclude each other`;
        }
        if (parameters) {
          yield* schemaFaults(parameters, strictDialects.generateSchema);
          if (isEmptyObject(parameters)) {
            yield `${name}: parameters.properties: should be non-empty for OBJECT type`;
          }
        }
        if (parametersJsonSchema) {
          yield* schemaFaults(parametersJsonSchema, strictDialects.generateJsonSchema);
        }
      }
    },
  },
  {
    name: "answer schema",
    source: "conversions 5",
    violations: function* ({ generationConfig: config = {} }) {
      const { responseSchema, responseJsonSchema, responseMimeType } = config;
      if (responseSchema && responseJsonSchema) {
        yield "responseSchema and responseJsonSchema exclude each other";
      }
      if ((responseSchema || responseJsonSchema) && responseMimeType !== "application/json") {
        yield "response_schema requires response_mime_type application/json";
      }
      if (responseSchema) yield* schemaFaults(responseSchema, strictDialects.generateSchema);
      if (responseJsonSchema) {
        yield* schemaFaults(responseJsonSchema, strictDialects.generateJsonSchema);
      }
    },
  },
  {
    name: "JSON answers beside functions",
    source: "generate-content 8.12",
    violations: function* (body, { path }) {
      if (signs(path) || !/gemini-[12]/.test(modelOf(path))) return;
      if (body.toolConfig?.functionCallingConfig?.mode === "NONE") return;
      if (
        body.generationConfig?.responseMimeType === "application/json" &&
        functionNames(body).length > 0
      ) {
        yield "Function calling with a response mime type: 'application/json' is unsupported";
      }
    },
  },
  {
    name: "media in function responses",
    source: "generate-content 2.3",
    violations: function* ({ contents }, { path }) {
      if (!/gemini-[12]/.test(modelOf(path))) return;
      for (const part of contents.flatMap(({ parts }) => parts)) {
        if (part.functionResponse?.parts) {
          yield "functionResponse.parts is not supported by this model";
        }
      }
    },
  },
];

function isCall(part: GeneratePart): boolean {
  return part.functionCall !== undefined;
}

function isResponse(part: GeneratePart): boolean {
  return part.functionResponse !== undefined;
}

function functionNames({ tools = [] }: GenerateBody): string[] {
  return tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name)
  );
}

function isEmptyObject({ type, properties }: { type?: unknown; properties?: unknown }): boolean {
  const object = String(type).toLowerCase() === "object";
  return object && Object.keys(Object(properties)).length === 0;
}

/** Each response must answer a call of the turn before, by id where it has one and by name. */
function* matchFaults(before: Content | undefined, { parts }: Content): Generator<string> {
  const calls = before?.role === "model"
    ? before.parts.flatMap((part) => part.functionCall ?? [])
    : [];
  const open = [...calls];
  for (const { functionResponse } of parts) {
    if (!functionResponse) continue;
    const { id, name } = functionResponse;
    const at = open.findIndex((call) =>
      call.name === name && (id === undefined || call.id === undefined || call.id === id)
    );
    if (at < 0) {
      yield "Please ensure that function response turn comes immediately after a function call turn.";
    } else open.splice(at, 1);
  }
}

const budgets = [
  { model: /2\.5-pro/, min: 128, max: 32_768, off: false },
  { model: /2\.5-flash-lite/, min: 512, max: 24_576, off: true },
  { model: /2\.5-flash/, min: 1, max: 24_576, off: true },
] as const;

function* budgetFaults(model: string, budget: number | undefined): Generator<string> {
  const range = budgets.find((row) => row.model.test(model));
  if (!range || budget === undefined || budget === -1) return;
  const inside = budget === 0 ? range.off : budget >= range.min && budget <= range.max;
  if (!inside) {
    yield `The thinking budget ${budget} is invalid. Please choose a value between ${range.min} and ${range.max}.`;
  }
}

/** The content that a part's signature covers: the call, or any text (a text may be empty). */
export function signedContent({ functionCall }: GeneratePart): string {
  return functionCall ? `call ${functionCall.name} ${stableJson(functionCall.args ?? {})}` : "text";
}

export function isGenuine(part: GeneratePart): boolean {
  return thoughtSignature.open(part.thoughtSignature ?? "") === signedContent(part);
}

/** The signatures in a history. */
export function proofsOf({ contents }: GenerateBody): string[] {
  return contents.flatMap(({ parts }) => parts).flatMap((part) =>
    part.thoughtSignature !== undefined && part.thoughtSignature !== skipped
      ? [part.thoughtSignature]
      : []
  );
}

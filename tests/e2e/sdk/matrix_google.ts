import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
} from "@google/genai";
import type {
  Asking,
  Connection,
  Conversation,
  MatrixClient,
  SdkAnswer,
  ToolAnswer,
} from "./matrix.ts";
import { answerSchema, headersOf, weatherTool } from "./matrix_request.ts";

/** The Google SDK's generateContent. */
export const googleClient: MatrixClient = {
  format: "generate-content",
  showsImagesInResults: true,
  start,
  statusOf: (error) => error instanceof ApiError ? error.status : undefined,
  requestIdOf: (error) =>
    error instanceof ApiError ? /"request_id":"([^"]+)"/.exec(error.message)?.[1] : undefined,
};

function start(asking: Asking, { base, key, fetch }: Connection): Conversation {
  const client = new GoogleGenAI({
    apiKey: key,
    httpOptions: { baseUrl: base, fetch, headers: headersOf(asking) },
  });
  const contents: Content[] = [];
  const params = (config: GenerateContentConfig = {}, model = asking.model) => ({
    model,
    contents: [...contents],
    config: { ...configOf(asking), ...config },
  });
  return {
    say: (text, png) =>
      void contents.push({ role: "user", parts: [{ text }, ...(png ? [imageOf(png)] : [])] }),
    answerCalls: (results) => {
      const calls = (contents.at(-1)?.parts ?? []).flatMap(({ functionCall }) =>
        functionCall ?? []
      );
      const parts = calls.map(({ id, name }, index) => resultOf(id, name, results[index]));
      contents.push({ role: "user", parts });
    },
    ask: async ({ stream, model }) => {
      const chunks = stream
        ? await Array.fromAsync(await client.models.generateContentStream(params({}, model)))
        : [await client.models.generateContent(params({}, model))];
      const parts = chunks.flatMap(({ candidates }) => candidates?.[0].content?.parts ?? []);
      contents.push({ role: "model", parts: parts.filter(isWorthKeeping) });
      return readAnswer(parts, chunks);
    },
    listen: async (signal, onText) => {
      const config = { abortSignal: signal };
      for await (const { text } of await client.models.generateContentStream(params(config))) {
        if (text) onText();
      }
    },
  };
}

function imageOf(data: string): Part {
  return { inlineData: { mimeType: "image/png", data } };
}

/** Applications drop the empty text that closes a stream, but never a signature. */
function isWorthKeeping({ text, thoughtSignature }: Part): boolean {
  return text !== "" || thoughtSignature !== undefined;
}

function resultOf(
  id: string | undefined,
  name: string | undefined,
  { text, imagePng, response = { output: text } }: ToolAnswer,
): Part {
  const parts = imagePng === undefined
    ? {}
    : { parts: [{ inlineData: { mimeType: "image/png", data: imagePng } }] };
  return { functionResponse: { id, name, response, ...parts } };
}

function configOf(
  { system, tools, forced, schema, thinks, showsThoughts }: Asking,
): GenerateContentConfig {
  return {
    ...(system && { systemInstruction: system }),
    ...(tools && {
      tools: [{
        functionDeclarations: [{
          name: weatherTool.name,
          description: weatherTool.description,
          parametersJsonSchema: weatherTool.schema,
        }],
      }],
    }),
    ...(forced && {
      toolConfig: {
        functionCallingConfig: {
          mode: FunctionCallingConfigMode.ANY,
          ...(typeof forced === "string" && { allowedFunctionNames: [forced] }),
        },
      },
    }),
    ...(schema && { responseMimeType: "application/json", responseJsonSchema: answerSchema }),
    ...(showsThoughts && { thinkingConfig: { includeThoughts: true } }),
    ...(thinks && { thinkingConfig: { includeThoughts: true, thinkingLevel: ThinkingLevel.HIGH } }),
  };
}

function readAnswer(parts: readonly Part[], chunks: readonly GenerateContentResponse[]): SdkAnswer {
  const texts = (thought: boolean) =>
    parts.filter((part) => (part.thought ?? false) === thought).map(({ text }) => text ?? "").join(
      "",
    );
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  const usage = chunks.at(-1)?.usageMetadata;
  const finish = chunks.at(-1)?.candidates?.[0].finishReason;
  const thoughts = usage?.thoughtsTokenCount ?? 0;
  return {
    text: texts(false),
    thought: texts(true),
    calls: calls.map(({ name = "", args }) => ({ name, args })),
    finish: finish !== "STOP" ? "other" : calls.length > 0 ? "tools" : "stop",
    sources: chunks.flatMap(({ candidates }) =>
      candidates?.[0].groundingMetadata?.groundingChunks ?? []
    ).flatMap(({ web }) => web?.uri ?? []),
    pictures: parts.flatMap(({ inlineData }) => inlineData?.data ?? []),
    usage: {
      input: usage?.promptTokenCount ?? -1,
      cacheRead: usage?.cachedContentTokenCount ?? 0,
      output: (usage?.candidatesTokenCount ?? -1) + thoughts,
      reasoning: thoughts,
    },
  };
}

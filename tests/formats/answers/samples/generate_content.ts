import type { JsonObject } from "../../../../lib/canonical/mod.ts";
import { bytes, pageOf, program, prose, type Sample, sealed } from "./sample.ts";

const usageMetadata = {
  promptTokenCount: 33_013,
  cachedContentTokenCount: 12_007,
  candidatesTokenCount: 4027,
  thoughtsTokenCount: 2111,
  totalTokenCount: 39_151,
  promptTokensDetails: [{ modality: "TEXT", tokenCount: 33_013 }],
  cacheTokensDetails: [{ modality: "TEXT", tokenCount: 12_007 }],
  candidatesTokensDetails: [{ modality: "TEXT", tokenCount: 4027 }],
};

function generated(
  parts: readonly JsonObject[],
  candidate: JsonObject = {},
  members: JsonObject = {},
): JsonObject {
  return {
    candidates: [{
      content: { role: "model", parts },
      finishReason: "STOP",
      index: 0,
      ...candidate,
    }],
    usageMetadata,
    modelVersion: "gemini-3.7-pro-002",
    responseId: "LawOfAnswersXy",
    createTime: "2026-11-22T09:10:11.121314Z",
    ...members,
  };
}

const said = "The grounded beginning. Then größere words 数 follow. ";
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const grounded = generated([
  { text: prose("Thought of grounding", 3), thought: true },
  { text: said + prose("Grounded", 15) },
], {
  groundingMetadata: {
    webSearchQueries: ["grounding query one", "grounding query two"],
    imageSearchQueries: ["grounding picture query"],
    searchEntryPoint: { renderedContent: `<style>.law{}</style><div>${prose("Chips", 2)}</div>` },
    groundingChunks: [
      { web: { uri: pageOf("ground", 1).url, title: "ground one", domain: "ground-one.example" } },
      { web: { uri: pageOf("ground", 2).url, title: "ground two" } },
      {
        retrievedContext: {
          uri: "gs://bucket-of-law/contract.pdf",
          title: "the retrieved contract",
          text: prose("Retrieved"),
        },
      },
      {
        maps: {
          uri: "https://maps.example/?cid=4711",
          title: "Café of the Law",
          placeId: "places/ChIJLaw",
          placeAnswerSources: { reviewSnippets: [{ title: "A review of the café" }] },
        },
      },
    ],
    groundingSupports: [
      {
        segment: { startIndex: 0, endIndex: 23, text: said.slice(0, 23), partIndex: 1 },
        groundingChunkIndices: [0, 1],
        confidenceScores: [0.917, 0.613],
      },
      {
        segment: {
          startIndex: 24,
          endIndex: bytesOf(said.trimEnd()),
          text: said.slice(24).trimEnd(),
          partIndex: 1,
        },
        groundingChunkIndices: [2],
      },
    ],
    retrievalMetadata: { googleSearchDynamicRetrievalScore: 0.8371 },
  },
  citationMetadata: {
    citationSources: [{
      startIndex: 30,
      endIndex: 90,
      uri: "https://recited.example/source",
      title: "The recited source",
      license: "license-of-the-law",
    }],
  },
  urlContextMetadata: {
    urlMetadata: [{
      retrievedUrl: "https://context.example/read",
      urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR",
    }],
  },
}, {
  usageMetadata: {
    ...usageMetadata,
    toolUsePromptTokenCount: 709,
    toolUsePromptTokensDetails: [{ modality: "TEXT", tokenCount: 709 }],
    totalTokenCount: 39_860,
  },
});

const partlyCited = generated([{ text: said }], {
  groundingMetadata: {
    groundingChunks: [3, 4].map((at) => ({
      web: { uri: pageOf("partly", at).url, title: `partly cited ${at}` },
    })),
    groundingSupports: [{
      segment: { startIndex: 0, endIndex: 23, text: said.slice(0, 23) },
      groundingChunkIndices: [1],
    }],
  },
});

const programs = generated(
  [
    { text: prose("First I compute") },
    { executableCode: { language: "PYTHON", code: program("compute", 8) } },
    { codeExecutionResult: { outcome: "OUTCOME_OK", output: prose("Computed", 10) } },
    { executableCode: { language: "PYTHON", code: program("fail", 1) } },
    { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "Traceback: the law was broken" } },
    { text: prose("Between the pictures") },
    {
      inlineData: { mimeType: "image/png", data: bytes("plotted picture", 60) },
      thoughtSignature: sealed("picture"),
    },
    {
      fileData: { mimeType: "video/mp4", fileUri: "https://files.example/v1beta/files/law-video" },
    },
    {
      inlineData: {
        mimeType: "application/pdf",
        data: bytes("made document", 10),
        displayName: "made.pdf",
      },
    },
    {
      toolCall: {
        id: "tc_1",
        toolType: "GOOGLE_SEARCH_WEB",
        args: { queries: ["a search on the server"] },
      },
    },
    {
      toolResponse: {
        id: "tc_1",
        toolType: "GOOGLE_SEARCH_WEB",
        response: { search_suggestions: "suggested by the server" },
      },
    },
    { hologramData: { frames: 77_003, caption: "A part of tomorrow" } },
    { text: prose("The end"), thoughtSignature: sealed("end-of-text") },
  ],
  {},
  {
    usageMetadata: {
      ...usageMetadata,
      candidatesTokensDetails: [{ modality: "TEXT", tokenCount: 2737 }, {
        modality: "IMAGE",
        tokenCount: 1290,
      }],
      trafficType: "PROVISIONED_THROUGHPUT",
      serviceTier: "priority",
    },
  },
);

const calling = generated([
  { text: prose("Thought before calls", 3), thought: true },
  {
    functionCall: {
      id: "gcall_1",
      name: "get_weather",
      args: { city: "Ferry 1", days: 51, why: prose("Because one", 3) },
    },
    thoughtSignature: sealed("call-proof", 2),
  },
  {
    functionCall: {
      id: "gcall_2",
      name: "get_weather",
      args: { city: "Ferry 2", days: 52, nested: { deep: [true, "leaf of arguments", 8.25] } },
    },
  },
  { functionCall: { name: "get_time", args: {} } },
], { finishMessage: "Model generated function call(s)." });

const rated = {
  safetyRatings: [
    { category: "HARM_CATEGORY_HARASSMENT", probability: "NEGLIGIBLE" },
    {
      category: "HARM_CATEGORY_DANGEROUS_CONTENT",
      probability: "HIGH",
      blocked: true,
      severityScore: 0.8731,
    },
  ],
};

export const generateContentSamples: readonly Sample[] = [
  { name: "grounding, citations, read addresses", wire: grounded },
  { name: "grounding that the text cites in part", wire: partlyCited },
  { name: "programs, pictures, files, server tools, an unknown part", wire: programs },
  { name: "parallel calls with a proof", wire: calling },
  {
    name: "stopped for safety",
    wire: generated([{ text: "It begins and" }], {
      finishReason: "SAFETY",
      finishMessage: "Stopped by the filter of the law",
      ...rated,
    }),
  },
  {
    name: "a recitation",
    wire: generated([{ text: prose("Recited") }], { finishReason: "RECITATION" }),
  },
  {
    name: "several candidates with log probabilities",
    wire: {
      ...generated([]),
      candidates: [0, 1, 2].map((index) => ({
        content: { role: "model", parts: [{ text: prose(`Candidate ${index}`, 5) }] },
        finishReason: "STOP",
        index,
        avgLogprobs: -0.1307 - index / 10,
        tokenCount: 1341 + index,
        logprobsResult: {
          topCandidates: [{
            candidates: [{
              token: `rival ${index}`,
              tokenId: 70_001 + index,
              logProbability: -2.707,
            }],
          }],
          chosenCandidates: [{
            token: `chosen ${index}`,
            tokenId: 80_001 + index,
            logProbability: -0.0707,
          }],
        },
      })),
    },
  },
  {
    name: "a blocked prompt",
    wire: {
      promptFeedback: {
        blockReason: "PROHIBITED_CONTENT",
        blockReasonMessage: "The prompt broke the law of answers",
        safetyRatings: [{
          category: "HARM_CATEGORY_HATE_SPEECH",
          probability: "MEDIUM",
          blocked: true,
        }],
      },
      usageMetadata: { promptTokenCount: 3019, totalTokenCount: 3019 },
      modelVersion: "gemini-3.7-pro-002",
      responseId: "BlockedXy",
    },
  },
  {
    name: "spoken",
    wire: generated(
      [{
        inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data: bytes("spoken part", 90) },
      }],
      {},
      {
        usageMetadata: {
          promptTokenCount: 301,
          candidatesTokenCount: 907,
          totalTokenCount: 1208,
          candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 907 }],
        },
        modelStatus: { modelStage: "LEGACY", message: "This model retires soon, says the law" },
      },
    ),
  },
  {
    name: "cut by its limit",
    wire: generated([{ text: prose("Cut", 30) }], { finishReason: "MAX_TOKENS", ...rated }),
  },
  {
    name: "a malformed call",
    wire: generated([{ text: prose("I tried") }], {
      finishReason: "MALFORMED_FUNCTION_CALL",
      finishMessage: "Malformed function call: print(law.answers())",
    }),
  },
];

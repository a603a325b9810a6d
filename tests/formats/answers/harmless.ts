import type { FormatName } from "../../../lib/canonical/mod.ts";
import type { Leaf } from "./wire_leaves.ts";

/** A value of an answer whose loss for a caller of another format does not matter. */
export interface HarmlessRow {
  readonly from: FormatName;
  /** Its path in a whole answer, without positions. */
  readonly path: RegExp;
  /** Absent if the path is enough. */
  readonly is?: (value: string) => boolean;
  readonly reason: string;
}

const one = (...values: readonly string[]) => (value: string) => values.includes(value);
const rows = (
  from: readonly FormatName[],
  ...list: readonly (readonly [path: RegExp, reason: string, is?: HarmlessRow["is"]])[]
): HarmlessRow[] =>
  from.flatMap((name) =>
    list.map(([path, reason, is]) => ({ from: name, path, reason, ...(is && { is }) }))
  );

const places = "The caller's answer has ids and positions of its own";
const kind = "The place of a value in the caller's answer says what kind of value it is";
const times = "The caller's answer has the times of the gateway's own call";
const ends = "The law of endings compares it";
const counts = "The law of usage compares the sums";
const billed = "The price and the log of the call keep it, and the caller's usage has the sums";
const calls = "The law of calls compares it";
const sealing = "Only the vendor that sealed it can read it, and a history without it is complete";
const echo = "It repeats what the request asked for";
const spans = "Each format counts the characters of a cited text in a unit of its own";
const done = "What stands in an answer is complete unless it says otherwise";
const served = "It tells who served the call, which the log of the call keeps";

export const harmlessRows: readonly HarmlessRow[] = [
  ...rows(
    ["chat-completions"],
    [/^(id|choices\[\]\.index|choices\[\]\.message\.(audio|tool_calls\[\])\.id)$/, places],
    [/\.(tool_calls|images|reasoning_details)\[\]\.(index|id)$/, places],
    [/^(object|choices\[\]\.message\.role)$/, kind],
    [/\.(tool_calls|annotations|images|reasoning_details)\[\]\.(type|format)$/, kind],
    [/^created$/, times],
    [/^(model|provider)$/, served],
    [/^service_tier$/, billed],
    [/^prompt_filter_results\[\]\..*\.detected$/, "The filter let the prompt pass"],
    [/^obfuscation$/, "It is padding"],
    [/\.finish_reason$/, ends],
    [/^usage\./, counts, undefined],
    [/\.tool_calls\[\]\.(function|custom)\./, calls],
    [/\.(start|end)_index$/, spans],
    [/\.reasoning_details\[\]\.(signature|data)$/, sealing],
    [/\.audio\.expires_at$/, "The vendor keeps what was heard only for a call of its own"],
    [/^metadata\./, echo],
  ),
  ...rows(
    ["responses"],
    [/(^|\.)(id|item_id|call_id|approval_request_id|caller_id)$/, places],
    [/^(sequence_number|(output|content|summary|annotation)_index)$/, places],
    [/(^|\.)(type|object|role)$/, kind],
    [/^(created_at|completed_at)$/, times],
    [/^model$/, served],
    [/^(billing\..*|service_tier|tool_usage\..*)$/, billed],
    [/^obfuscation$/, "It is padding"],
    [/^(status|incomplete_details\.reason)$/, ends],
    [/^output\[\]\.status$/, done, one("completed", "in_progress", "incomplete")],
    [/^usage\./, counts],
    [/^output\[\]\.(arguments|input|name|namespace)$/, calls],
    [/\.annotations\[\]\.(start|end)_index$/, spans],
    [/^output\[\]\.(encrypted_content|fingerprint)$/, sealing],
    [/^output\[\]\.phase$/, "The order of the texts shows which one is the last"],
    [/^output\[\]\.(quality|size|background|output_format)$/, "The picture shows it"],
    [
      /^(background|instructions|max_output_tokens|max_tool_calls|metadata|parallel_tool_calls|previous_response_id|prompt_cache_(key|retention|options)|reasoning|safety_identifier|store|temperature|text|tool_choice|tools|top_logprobs|top_p|truncation|user|conversation)\b/,
      echo,
    ],
  ),
  ...rows(
    ["messages"],
    [/(^|\.)(id|tool_use_id|tool_id|index)$/, places],
    [/(^|\.)(type|role)$/, kind],
    [/^model$/, served],
    [/^stop_reason$/, ends],
    [/^usage\.((cache_\w+|input|output)_(tokens|input_tokens)|cache_creation\.\w+)$/, counts],
    [/^usage\.output_tokens_details\./, counts],
    [
      /^usage\.(service_tier|speed|inference_geo|iterations|fallback_credit|server_tool_use)\b/,
      billed,
    ],
    [/^content\[\]\.(input|partial_json|name)\b/, calls],
    [/\.(signature|encrypted_index|encrypted_content)$/, sealing],
    [/^content\[\]\.data$/, sealing],
    [/^container\.expires_at$/, times],
  ),
  ...rows(
    ["generate-content"],
    [/^(responseId|candidates\[\]\.index)$/, places],
    [/\.(functionCall|toolCall|toolResponse|executableCode|codeExecutionResult)\.id$/, places],
    [/\.content\.(role|parts\[\]\.thought)$/, kind],
    [/^createTime$/, times],
    [/^modelVersion$/, served],
    [/\.finishReason$/, ends],
    [/\.finishMessage$/, ends, one("Model generated function call(s).")],
    [/^usageMetadata\.\w+TokenCount$/, counts],
    [/^usageMetadata\.\w+TokensDetails\[\]\./, counts],
    [/^usageMetadata\.(serviceTier|trafficType)$/, billed],
    [/\.functionCall\./, calls],
    [/\.thoughtSignature$/, sealing],
    [/\.segment\.(startIndex|endIndex|partIndex)$/, spans],
    [/\.groundingChunkIndices\[\]$/, spans],
    [/\.confidenceScores\[\]$/, "A source is cited whatever the search thinks of it"],
    [/\.retrievalMetadata\./, "The search ran, however sure its decision was"],
    [/\.(citationSources|citations)\[\]\.(startIndex|endIndex)$/, spans],
    [/\.avgLogprobs$/, "It comes unasked with every answer"],
    [/^candidates\[\]\.tokenCount$/, counts],
    [/\.safetyRatings\[\]\./, "A rating that blocks nothing comes with every answer"],
  ),
];

/** The paths of a stream's values in the whole answer. */
const wholePlaces: Readonly<Record<FormatName, readonly (readonly [RegExp, string])[]>> = {
  "chat-completions": [[/\.delta\b/, ".message"]],
  responses: [
    [/^response\.\w+:response\./, ""],
    [/^response\.output_item\.\w+:item\./, "output[]."],
    [/^[\w.]+:part\./, "output[].content[]."],
    [/^[\w.]+:annotation\./, "output[].content[].annotations[]."],
    [
      /^response\.(function_call_arguments|custom_tool_call_input)\.\w+:(delta|arguments|input)$/,
      "output[].arguments",
    ],
    [/^[\w.]+:/, ""],
  ],
  messages: [
    [/^message_start:message\./, ""],
    [/^content_block_start:content_block\./, "content[]."],
    [/^content_block_delta:delta\.citation\./, "content[].citations[]."],
    [/^content_block_delta:delta\./, "content[]."],
    [/^message_delta:(delta\.)?/, ""],
    [/^\w+:/, ""],
  ],
  "generate-content": [],
};

/** The path of a leaf in a whole answer, without positions. */
export function placeOf(from: FormatName, { path }: Leaf): string {
  const plain = path.replace(/\[\d+\]/g, "[]");
  const rule = wholePlaces[from].find(([event]) => event.test(plain));
  return rule ? plain.replace(...rule) : plain;
}

/** The row of a table that explains why the loss of a value needs no note. */
export function rowOf(
  table: readonly HarmlessRow[],
  from: FormatName,
  leaf: Leaf,
): HarmlessRow | undefined {
  const place = placeOf(from, leaf);
  const value = leaf.pieces.join("");
  return table.find((row) =>
    row.from === from && row.path.test(place) && (row.is?.(value) ?? true)
  );
}

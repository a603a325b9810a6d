import type { FormatName } from "../../../lib/canonical/mod.ts";
import { type HarmlessRow, harmlessRows } from "../answers/harmless.ts";
import { unwordedRows } from "../answers/unworded.ts";

type Row = readonly [path: RegExp, reason: string, is?: (value: string) => boolean];

const cache =
  "It says how long a prefix is cached, which the vendor of the upstream decides itself";
const defaults = "It states what holds without it";
const place = "It identifies the value, which is told apart by its place";
const kind = "The value itself shows its kind";
const sealed = "Only the vendor that sealed it can read it";
const unwritten = "No model wrote the text, so no citation in it says where a claim comes from";
const more = "Another setting beside it says the same, and wins";
const detail = "The words of an item say what was done and found, not how the vendor ran it";
const source = "The text or its citation names the source; each format counts in its own units";
const counts = "Each format has counters of its own, of which the law of usage compares the sums";

function rows(from: FormatName, ...list: readonly Row[]): HarmlessRow[] {
  return list.map(([path, reason, is]) => ({ from, path, reason, ...(is && { is }) }));
}

/** Values of requests that are neither sent nor noted, each with the reason why nobody misses them. */
export const silentInRequests: readonly HarmlessRow[] = [
  ...rows(
    "chat-completions",
    [/(^|\.)prompt_cache_\w+(\.|$)/, cache],
    [/^(parallel_tool_calls|n|modalities(\[\])?|service_tier|store|stream|verbosity)$/, defaults],
    [
      /^(temperature|top_p)$/,
      "The model takes only the default, which it is",
      (value) => value === "1",
    ],
    [/^(user|safety_identifier|logprobs)$/, more],
    [/^tool_choice$/, "There are no tools to choose from, or the model may choose"],
    [/^prediction\./, "A prediction makes an answer faster, not other"],
    [/^(stream_options\.|usage\.include$)/, "It says how the answer arrives"],
    [/\.(type|index)$/, kind],
    [/\.id$/, place],
  ),
  ...rows(
    "responses",
    [/\bprompt_cache_breakpoint\./, cache],
    [/^(include|truncation|parallel_tool_calls|service_tier|prompt_cache_\w+(\..*)?)\b/, defaults],
    [
      /^(tool_choice|text\.verbosity|reasoning\.(summary|context)|stream|stream_options\..*|store)$/,
      defaults,
    ],
    [
      /^text\.format\.(name|description|strict)$/,
      "The schema is sent as an instruction of its own words",
    ],
    [/^top_logprobs$/, "Log probabilities come only where include asks for them"],
    [/^tool_choice\./, "The vendor's own tool that it names is noted"],
    [/\.(type|status|phase)$/, kind],
    [/\.(id|call_id)$/, place],
    [/\.results\[\]\.(score|file_id|attributes\..*)$/, detail],
    [/\.(outputs\[\]|outcome)\.of_tomorrow\./, detail],
    [/\.output\[\]\.detail$/, defaults, (value) => value === "auto"],
    [/^tools\[\]\.external_web_access$/, defaults, (value) => value === "true"],
    [/^tools\[\]\.defer_loading$/, "Deferred tools are sent at once"],
    [/\.encrypted_content$/, sealed],
  ),
  ...rows(
    "messages",
    [/\bcache_control\./, cache],
    [/\.citations\[\]\.\w+$/, unwritten],
    [/^(stream|service_tier|thinking\.display|context_management\..*)$/, defaults],
    [/^(tool_choice\.disable_parallel_tool_use|messages\[\]\.clear_at)$/, defaults],
    [/^output_config\.effort$/, more],
    [/^mcp_servers\[\]\./, "A server that no toolset names offers no tools"],
    [/^tools\[\]\.defer_loading$/, "Deferred tools are sent at once"],
    [/^tools\[\]\.name$/, "The type of the vendor's own tool names it"],
    [/^tools\[\]\.eager_input_streaming$/, "It says how the arguments arrive"],
    [/^tools\[\]\.allowed_callers\[\]$/, "The vendor decides who calls a tool that it runs itself"],
    [/\.type$/, kind],
    [/\.(id|tool_use_id)$/, place],
    [/\.(page_age|encrypted_\w+)$/, sealed],
  ),
  ...rows(
    "generate-content",
    [/\.role$/, kind],
    [/\.thoughtSignature$/, sealed],
    [/\.mimeType$/, kind],
    [
      /^toolConfig\.functionCallingConfig\./,
      "There are no tools to choose from, or the model may choose",
    ],
    [/^generationConfig\.thinkingConfig\.thinkingBudget$/, more],
    [/\.parameters\.type$/, "A function without parameters takes an object without members"],
    [/\.nullable$/, "A schema without a type admits null anyway"],
    [/\.type$/, "It says that there is no type", (value) => value === "TYPE_UNSPECIFIED"],
    [
      /\.(responseSchema|responseJsonSchema|parametersJsonSchema)\.type$/,
      defaults,
      (value) => value.toLowerCase() === "object",
    ],
  ),
];

/** The same for answers, beside what the law of answers lists. */
export const silentInAnswers: readonly HarmlessRow[] = [
  ...harmlessRows,
  ...unwordedRows,
  ...rows(
    "chat-completions",
    [/\.logprobs\..*\.bytes\[\]$/, "The token itself has these bytes"],
    [/\.annotations\[\]\.of_tomorrow\./, source],
  ),
  ...rows(
    "responses",
    [/\.logprobs\[\]\..*bytes\[\]$/, "The token itself has these bytes"],
    [/^output\[\]\.action$/, detail],
    [/\.outcome\.of_tomorrow\./, detail],
    [/\.created_by$/, "It tells who served the call, which the log of the call keeps"],
    [/^prompt\./, "It repeats what the request asked for"],
  ),
  ...rows(
    "messages",
    [/^stop_details\.(?!category)/, "An answer that no refusal ended has none"],
    [
      /\.content\.(source\.data|citations\.enabled|((source|citations)\.)?of_tomorrow\..*)$/,
      detail,
    ],
    [/\.citations\[\]\.\w+$/, source],
    [/^usage\.(cache_creation\.)?of_tomorrow\./, counts],
    [/\.caller\.of_tomorrow\./, detail],
  ),
  ...rows(
    "generate-content",
    [/\.urlMetadata\[\]\./, "The note on the metadata names all of it; its length is usage"],
    [/\.logProbabilitySum$/, "The log probabilities themselves add up to it"],
    [/^usageMetadata\.of_tomorrow\./, counts],
    [/\.chosenCandidates\[\]\.of_tomorrow\./, "A token is told by its text and its probability"],
    [/^promptFeedback\./, "An answer that has candidates was not blocked"],
    [/\.(mediaResolution|speechMetadata|partMetadata|videoMetadata)\.|\.mediaProcessing$/, detail],
  ),
];

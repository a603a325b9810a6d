import type { FormatName } from "../../../lib/canonical/mod.ts";
import type { HarmlessRow } from "./harmless.ts";

const rows = (
  from: FormatName,
  ...list: readonly (readonly [path: RegExp, reason: string])[]
): HarmlessRow[] => list.map(([path, reason]) => ({ from, path, reason }));

const held = "Nobody but the vendor, with its own key, can open what the id names";
const detail = "The words of an item say what was done and found, not how the vendor ran it";
const known = "The words of an item say all that is known of its kind";
const typed = "A link leads to the bytes, which say what they are";

/** Members that an item's text leaves out although a note says that the text states the item. */
export const unwordedRows: readonly HarmlessRow[] = [
  ...rows(
    "chat-completions",
    [/\.audio\.data$/, "The text says what was heard"],
  ),
  ...rows(
    "responses",
    [/\.(container_id|file_id)$/, held],
    [/\.annotations\[\]\.index$/, "A file that was cited or made is named behind the whole text"],
    [/\.annotations\[\]\.title$/, "The text has the address already"],
    [/\.action\.(timeout_ms|max_output_length|working_directory|env\..*)$/, detail],
    [/^output\[\]\.max_output_length$/, detail],
    [/\.results\[\]\.(score|attributes\..*)$/, detail],
    [/^output\[\]\.status$/, detail],
    [/^output\[\]\.of_tomorrow\./, known],
  ),
  ...rows(
    "messages",
    [/\.file_id$/, held],
    [/\.media_type$/, typed],
    [/^content\[\]\.of_tomorrow\./, known],
    [/^content\[\]\.is_error$/, "The words call its output an error"],
    [/\.(retrieved_at|page_age|file_type|num_lines|total_lines)$/, detail],
  ),
  ...rows(
    "generate-content",
    [/\.mimeType$/, typed],
    [/\.parts\[\]\.of_tomorrow\./, known],
    [/\.toolCall\.toolType$/, "The words call it a web search"],
    [/\.executableCode\.language$/, "The block of code names it in small letters"],
    [/\.codeExecutionResult\.outcome$/, "The words say that the code failed"],
  ),
];

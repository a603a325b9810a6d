import type { JsonObject } from "../../canonical/mod.ts";

/** The description of a tool that the vendor defines and the caller runs. */
interface ClientTool {
  readonly description: string;
  readonly parameters: JsonObject;
}

/** The description of a tool by its type, such as `bash_20250124`; undefined for unknown types. */
export function clientToolOf(type: string): ClientTool | undefined {
  const found = clientTools.find(({ types }) => types.test(type));
  return found && { description: found.description, parameters: found.parameters };
}

const text = { type: "string" };
const lines = { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 };

const edits = {
  path: { ...text, description: "Absolute path of the file or folder" },
  file_text: { ...text, description: "Content of the file, for create" },
  old_str: { ...text, description: "Text to replace, which must occur exactly once" },
  new_str: { ...text, description: "Text to put in its place, or to insert" },
  insert_line: { type: "integer", description: "Line after which to insert" },
  insert_text: { ...text, description: "Text to insert" },
  view_range: { ...lines, description: "First and last line to view; -1 for the end" },
};

/** Inputs of these tools, as the vendor documents them. */
const clientTools: readonly (ClientTool & { readonly types: RegExp })[] = [
  {
    types: /^bash_\d{8}$/,
    description: "Runs a command in a persistent bash session",
    parameters: {
      type: "object",
      properties: {
        command: { ...text, description: "The command to run" },
        restart: { type: "boolean", description: "Restarts the session instead" },
      },
    },
  },
  {
    types: /^text_editor_\d{8}$/,
    description: "Views, creates and edits text files",
    parameters: {
      type: "object",
      properties: {
        command: { ...text, enum: ["view", "create", "str_replace", "insert", "undo_edit"] },
        ...edits,
      },
      required: ["command", "path"],
    },
  },
  {
    types: /^memory_\d{8}$/,
    description: "Reads and writes files of a memory that lasts between conversations",
    parameters: {
      type: "object",
      properties: {
        command: {
          ...text,
          enum: ["view", "create", "str_replace", "insert", "delete", "rename"],
        },
        ...edits,
        old_path: { ...text, description: "Path to rename" },
        new_path: { ...text, description: "Its new path" },
      },
      required: ["command"],
    },
  },
];

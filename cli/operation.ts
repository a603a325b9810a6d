import described from "./operations.json" with { type: "json" };
import { CommandError } from "./terminal.ts";
import type { ApiField } from "./values.ts";

/** An operation of the management API, and the words of its command. */
export interface CliOperation {
  /** Such as `["keys", "rotate"]`. */
  readonly words: readonly string[];
  readonly method: string;
  /** Such as `/keys/{id}/rotate`. */
  readonly path: string;
  readonly summary: string;
  readonly scope?: string;
  readonly query: readonly ApiField[];
  /** Absent: the operation takes no body. */
  readonly body?: readonly ApiField[];
  /** True if the answer is a page of a list. */
  readonly isList?: true;
}

/** Every operation; `deno run -A tools/cli_operations.ts` writes them from the API's description. */
export const describedOperations = described as readonly CliOperation[]; // that tool's own output

/** The names of the parts of a path that the caller gives. */
export function pathParts({ path }: Pick<CliOperation, "path">): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/**
 * The path with its parts filled in, encoded. Throws `CommandError` for a part that would lead to
 * another path: an empty one, `.` and `..`.
 */
export function pathWith(
  { path }: Pick<CliOperation, "path">,
  parts: Readonly<Record<string, string>>,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const part = parts[name] ?? "";
    if (!["", ".", ".."].includes(part)) return encodeURIComponent(part);
    throw new CommandError("usage", `<${name}> cannot be "${part}"`);
  });
}

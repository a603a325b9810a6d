import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/**
 * One line per fault: the field and its allowed values. Never the actual value, which may be a
 * secret.
 */
export function faultsIn(error: z.ZodError): string[] {
  return [...new Set(error.issues.map((issue) => faultIn(issue, [])))];
}

/** Formats a path, such as `upstreams[0].timeouts.connectMs`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

function faultIn(issue: Issue, above: readonly PropertyKey[]): string {
  const path = [...above, ...issue.path];
  const inside = issue.code === "invalid_union" ? nearestBranch(issue.errors) : undefined;
  if (inside !== undefined) return faultIn(inside, path);
  const [, ...field] = path; // the first step is either the environment or the file
  return `${formatPath(field) || "The configuration file"} ${issue.message}`;
}

/** Returns the union branch that matches the value's type, to report its fault. */
function nearestBranch(branches: readonly (readonly Issue[])[]): Issue | undefined {
  const near = branches.find((issues) => issues.every((issue) => !isOtherKind(issue)));
  return near?.[0];
}

function isOtherKind(issue: Issue): boolean {
  return issue.path.length === 0 && ["invalid_type", "invalid_value"].includes(issue.code);
}

/**
 * The configuration is invalid. The message has a line for each invalid field, without its value.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options?: ErrorOptions) {
    super(faults.join("\n"), options);
    this.faults = faults;
  }
}

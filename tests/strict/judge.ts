import type { z } from "zod";
import type { Asked, Refusal, Rule } from "./vendor.ts";

/** Every reason to refuse a body: the schema's faults or, if none, the violated rules. */
export function judge<Body>(
  schema: z.ZodType<Body>,
  rules: readonly Rule<Body>[],
): (asked: Asked) => Refusal[] {
  return (asked) => {
    const { success, data, error } = schema.safeParse(asked.body);
    if (!success) return error.issues.map(shapeRefusal);
    return rules.flatMap((rule) =>
      [...rule.violations(data, asked)].map((message) => ({ rule: rule.name, message }))
    );
  };
}

type Issue = z.core.$ZodIssue;

/** The most specific issue: in a union, that of the branch that matched furthest. */
function shapeRefusal(issue: Issue): Refusal {
  const deepest = deepestOf(issue, []);
  const rule = deepest.issue.code === "unrecognized_keys" ? "unknown fields" : "shape";
  return { rule, message: `${pathText(deepest.path)}: ${wordsOf(deepest.issue)}` };
}

interface Found {
  readonly issue: Issue;
  readonly path: readonly PropertyKey[];
}

function deepestOf(issue: Issue, above: readonly PropertyKey[]): Found {
  const path = [...above, ...issue.path];
  const branches = issue.code === "invalid_union" ? issue.errors.flat() : [];
  const found = branches.map((branch) => deepestOf(branch, path));
  return found.reduce((best, next) => next.path.length > best.path.length ? next : best, {
    issue,
    path,
  });
}

function pathText(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "body" : path.map(String).join(".");
}

function wordsOf(issue: Issue): string {
  return issue.code === "unrecognized_keys"
    ? `Extra inputs are not permitted: ${issue.keys.join(", ")}`
    : issue.message;
}

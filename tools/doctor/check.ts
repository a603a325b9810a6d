export type CheckStatus = "ok" | "warning" | "failed" | "skipped";

/** The result of one check. Holds no secret. */
export interface Check {
  /** Its subject, such as `store` or `upstream openai`. */
  readonly name: string;
  readonly status: CheckStatus;
  readonly detail: string;
  /** The operator's next step; present unless it is ok. */
  readonly remedy?: string;
}

export function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail };
}

export function skipped(name: string, detail: string): Check {
  return { name, status: "skipped", detail };
}

export function warning(name: string, detail: string, remedy: string): Check {
  return { name, status: "warning", detail, remedy };
}

export function failed(name: string, detail: string, remedy: string): Check {
  return { name, status: "failed", detail, remedy };
}

/** Lines for a terminal: a check in each, and its remedy below. */
export function linesOf({ name, status, detail, remedy }: Check): string[] {
  const line = `${status.padEnd(8)} ${name}: ${detail}`;
  return remedy === undefined ? [line] : [line, `${" ".repeat(9)}→ ${remedy}`];
}

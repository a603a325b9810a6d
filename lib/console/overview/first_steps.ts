/** The steps from a set-up link to the first answered call, in their order. */
const stepNames = ["account", "provider", "call"] as const;

export type StepName = typeof stepNames[number];

/** The done steps. Members have no step for the provider. */
export type StepsDone = Readonly<Partial<Record<StepName, boolean>>>;

interface FirstStep {
  readonly name: StepName;
  readonly state: "done" | "open" | "later";
}

/** The first step that is not done is open; the steps after it wait. */
export function firstSteps(done: StepsDone): readonly FirstStep[] {
  const names = stepNames.filter((name) => done[name] !== undefined);
  const open = openStep(done);
  return names.map((name) => ({
    name,
    state: name === open ? "open" : done[name] ? "done" : "later",
  }));
}

/** The step to take now; undefined if all are done. */
export function openStep(done: StepsDone): StepName | undefined {
  return stepNames.find((name) => done[name] === false);
}

const path = "/console/welcome";
const builtIn = "built-in";

/** The parameters of the page's address. */
export interface StepsQuery {
  /** True after the choice of the built-in model instead of a provider. */
  readonly builtIn: boolean;
  /** The start of the wait for a call, for pages without JavaScript. */
  readonly sinceMs?: number;
}

/** Reads `?provider=built-in`, and `?since=` for a page that waits without a script. */
export function readStepsQuery(fields: URLSearchParams): StepsQuery {
  const sinceMs = Number(fields.get("since"));
  return {
    builtIn: fields.get("provider") === builtIn,
    ...(Number.isSafeInteger(sinceMs) && sinceMs > 0 && { sinceMs }),
  };
}

/** The fields that keep the choices of the page in its address and its forms. */
export function stepsFields({ builtIn: isBuiltIn, sinceMs }: StepsQuery): Record<string, string> {
  return {
    ...(isBuiltIn && { provider: builtIn }),
    ...(sinceMs !== undefined && { since: String(sinceMs) }),
  };
}

/** The address of the first steps after the account. */
export function stepsPath(query: StepsQuery = { builtIn: false }): string {
  const fields = new URLSearchParams(stepsFields(query)).toString();
  return fields === "" ? path : `${path}?${fields}`;
}

import { boundsIn, type BoundsValues, boundsValues, readBounds } from "../../admin/bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import { projectAdministrators, projectId, projectModels } from "../../admin/projects.ts";
import type { Project } from "../../store/projects/mod.ts";
import type { User } from "../../store/users/mod.ts";

/** The values of a project's form. */
export interface ProjectValues extends BoundsValues {
  readonly id: string;
  /** One pattern per line; empty allows all models of its keys' groups. */
  readonly models: string;
  /** One e-mail address per line. */
  readonly administrators: string;
}

export type ProjectFaults = FormFaults<keyof ProjectValues, FaultCode<"project">>;

type ProjectFormResult =
  | { readonly type: "valid"; readonly project: Project }
  | { readonly type: "invalid"; readonly faults: ProjectFaults };

const textLengthMax = 1_000_000;

export function readProjectForm(form: URLSearchParams): ProjectValues {
  const text = (name: string) => (form.get(name) ?? "").trim().slice(0, textLengthMax);
  return {
    ...readBounds(form),
    id: text("id"),
    models: text("models"),
    administrators: text("administrators"),
  };
}

export function projectValues(
  project: Project | undefined,
  users: readonly User[],
): ProjectValues {
  const { id = "", models = [], administrators = [] } = project ?? {};
  const known = users.filter((user) => administrators.includes(user.id)); // others were deleted
  return {
    ...boundsValues(project ?? {}),
    id,
    models: models.join("\n"),
    administrators: known.map(({ email }) => email).join("\n"),
  };
}

/** The project that the form describes; `current` is the one to change, absent for a new one. */
export function projectOf(
  values: ProjectValues,
  { current, users, nowMs }: {
    readonly current?: Project;
    readonly users: readonly User[];
    readonly nowMs: number;
  },
): ProjectFormResult {
  const models = linesOf(values.models);
  const administrators = linesOf(values.administrators).map((email) => idOf(email, users));
  const known = administrators.filter((id) => id !== undefined);
  const { faults: boundsFaults, budgets, limits } = boundsIn(values, current ?? {});
  const faults = {
    ...(!current && !projectId.safeParse(values.id).success && { id: "id" as const }),
    ...(models.length > 0 && !projectModels.safeParse(models).success &&
      { models: "models" as const }),
    ...((known.length < administrators.length ||
      !projectAdministrators.safeParse(known).success) &&
      { administrators: "administrators" as const }),
    ...boundsFaults,
  };
  if (Object.keys(faults).length > 0) return { type: "invalid", faults };
  const { archivedAtMs, createdAtMs = nowMs } = current ?? {};
  return {
    type: "valid",
    project: {
      id: current?.id ?? values.id,
      administrators: [...new Set(known)],
      createdAtMs,
      ...(models.length > 0 && { models: [...new Set(models)] }),
      ...(budgets && { budgets }),
      ...(limits && { limits }),
      ...(archivedAtMs !== undefined && { archivedAtMs }),
    },
  };
}

function linesOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((line) => line !== "");
}

function idOf(email: string, users: readonly User[]): string | undefined {
  return users.find((user) => user.email === email.toLowerCase())?.id;
}

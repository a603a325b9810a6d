import { roles } from "../../accounts/mod.ts";
import { boundsIn, type BoundsValues, boundsValues, readBounds } from "../../admin/bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import { entryNanoUsdMax, readUsd } from "../../funds/mod.ts";
import type { Invitation, InvitedSettings } from "../../store/users/mod.ts";
import type { AccountState } from "../session/state.ts";

/** The values of the form that invites a user. */
export interface InviteValues extends BoundsValues {
  readonly email: string;
  readonly role: string;
  readonly spending: string;
  /** Empty: no project, or the default group. */
  readonly project: string;
  readonly group: string;
  /** The starting credit in dollars. */
  readonly credit: string;
}

export type InviteFaults = FormFaults<keyof InviteValues, FaultCode<"user">>;

/** The form before anything is entered. */
export const emptyInvite: InviteValues = {
  ...boundsValues({}),
  email: "",
  role: "member",
  spending: "prepaid",
  project: "",
  group: "",
  credit: "",
};

export function readInviteForm(form: URLSearchParams): InviteValues {
  const text = (name: string) => (form.get(name) ?? "").trim().slice(0, 300);
  return {
    ...readBounds(form),
    email: text("email"),
    role: text("role"),
    spending: form.get("spending") === "unlimited" ? "unlimited" : "prepaid",
    project: text("project"),
    group: text("group"),
    credit: text("credit"),
  };
}

type Draft = Pick<Invitation, "email" | "role"> & InvitedSettings;

/** The projects and groups that a user may be invited to. */
export function inviteChoices({ services: { directory } }: AccountState) {
  return {
    projects: directory.projects().filter(({ archivedAtMs }) => archivedAtMs === undefined)
      .map(({ id }) => id),
    groups: directory.groups().map(({ id }) => id),
  };
}

/** The invitation that the form describes. */
export function invitationIn(
  values: InviteValues,
  { projects, groups }: ReturnType<typeof inviteChoices>,
): { readonly draft: Draft; readonly faults: InviteFaults } {
  const { email, project, group, credit } = values;
  const creditNanoUsd = readUsd(credit);
  const isPaid = creditNanoUsd !== undefined && creditNanoUsd <= entryNanoUsdMax;
  const { faults, budgets, limits } = boundsIn(values, {});
  return {
    faults: {
      ...(project !== "" && !projects.includes(project) && { project: "choice" as const }),
      ...(group !== "" && !groups.includes(group) && { group: "choice" as const }),
      ...(!isPaid && !/^\$?0*([.,]0*)?$/.test(credit) && { credit: "amount" as const }),
      ...faults,
    },
    draft: {
      email,
      role: roles.find((one) => one === values.role) ?? "member",
      spending: values.spending === "unlimited" ? "unlimited" : "prepaid",
      ...(project !== "" && { projectId: project }),
      ...(group !== "" && { groupId: group }),
      ...(isPaid && { creditNanoUsd }),
      ...(budgets && { budgets }),
      ...(limits && { limits }),
    },
  };
}

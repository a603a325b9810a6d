import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import { upstreamValues } from "../../admin/upstreams/upstream_form.ts";
import type { ConnectionReport } from "../../upstreams/mod.ts";
import type { AccountState, PageAuditContext } from "../session/state.ts";
import { addUpstream, type NewUpstream, readNewUpstream } from "./new_upstream.ts";

/** The data of the page that adds the first provider. */
export interface FirstProvider {
  /** Empty before one is chosen. */
  readonly preset: string;
  readonly baseUrl: string;
  readonly faults: FormFaults<"preset" | "key" | "baseUrl", FaultCode<"upstream">>;
  readonly report?: ConnectionReport;
  readonly kept: NewUpstream["kept"];
}

export const noProvider: FirstProvider = {
  preset: "",
  baseUrl: "",
  faults: {},
  kept: { sealed: "", count: 0 },
};

/**
 * Adds the provider as an upstream if its test succeeds; else returns the data of the page with the
 * report.
 */
export async function addFirstProvider(
  form: URLSearchParams,
  ctx: PageAuditContext & { readonly req: Request },
): Promise<FirstProvider | undefined> {
  const preset = form.get("preset") ?? "";
  const baseUrl = form.get("baseUrl")?.trim() ?? "";
  if (preset === "") return { ...noProvider, baseUrl, faults: { preset: "provider" } };
  const asked = await readNewUpstream(wholeForm(form, ctx.state), ctx.state);
  const result = await addUpstream(asked, ctx);
  if (result.type === "added") {
    await ctx.state.services.directory.refresh(); // the next page lists its models
    return undefined;
  }
  const { faults, report, kept } = result.shown;
  const { credentials: key, preset: provider, ...others } = faults;
  const [other] = Object.values(others);
  return {
    preset,
    baseUrl,
    faults: {
      ...(key && { key }),
      ...(provider && { preset: provider }),
      ...(other && { baseUrl: other }),
    },
    ...(report && { report }),
    kept,
  };
}

/** Completes the short form of the first steps to the form of an upstream. */
function wholeForm(form: URLSearchParams, state: AccountState): URLSearchParams {
  const preset = form.get("preset") ?? "";
  return new URLSearchParams({
    ...upstreamValues(),
    preset,
    id: freeName(preset, state),
    baseUrl: form.get("baseUrl") ?? "",
    credentials: form.get("key")?.trim() ?? "",
    kept: form.get("kept") ?? "",
    intent: "test",
  });
}

function freeName(preset: string, { services: { directory } }: AccountState): string {
  const taken = new Set(directory.upstreams().map(({ id }) => id));
  for (let at = 1;; at++) {
    const name = at === 1 ? preset : `${preset}-${at}`;
    if (!taken.has(name)) return name;
  }
}

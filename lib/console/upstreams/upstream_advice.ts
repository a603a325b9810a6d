import { hasListed } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { refusedCredentials, type UpstreamRow } from "./upstream_list.ts";
import type { UpstreamModelRow } from "./upstream_models.ts";

/** A step that an administrator can take about an upstream. */
export type Advice =
  | { readonly type: "decrypt" | "enable" }
  | { readonly type: "credential"; readonly credentialId: string }
  /** A model is out of service or fails here, and no other upstream serves it; `other` lists it. */
  | { readonly type: "fallback"; readonly model: string; readonly other?: string };

const adviceMax = 4;

export function adviceFor(
  row: UpstreamRow,
  models: readonly UpstreamModelRow[],
  { directory, failing }: {
    readonly directory: Pick<Directory, "upstreams" | "upstreamLists">;
    /** The model of a recent failure of the upstream. */
    readonly failing?: string;
  },
): readonly Advice[] {
  const { state } = row.status;
  if (state === "sealed") return [{ type: "decrypt" }];
  if (state === "disabled") return [{ type: "enable" }];
  const isOut = ({ id, state: one }: UpstreamModelRow) =>
    id === failing || (one !== "well" && one !== "degraded");
  const alone = models.filter((model) => model.fallbacks.length === 0 && isOut(model));
  return [
    ...refusedCredentials(row).map((credentialId): Advice => ({
      type: "credential",
      credentialId,
    })),
    ...alone.map(({ id }): Advice => ({
      type: "fallback",
      model: id,
      other: listerOf(id, row.upstream.id, directory),
    })),
  ].slice(0, adviceMax);
}

/** An enabled upstream whose vendor lists the model, although it does not serve it here. */
function listerOf(
  model: string,
  upstreamId: string,
  directory: Pick<Directory, "upstreams" | "upstreamLists">,
): string | undefined {
  const lists = directory.upstreamLists();
  return directory.upstreams().find(({ id, enabled, origin }) => {
    const list = lists.get(id);
    return id !== upstreamId && enabled && origin === "console" && list && hasListed(list, model);
  })?.id;
}

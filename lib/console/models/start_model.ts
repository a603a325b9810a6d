import { defaultModel } from "../../catalog/mod.ts";
import { canAnswer } from "../upstreams/upstream_page.ts";
import type { AccountState } from "../session/state.ts";
import type { ModelRow } from "../../admin/models/model_rows.ts";

type Choosable = Pick<ModelRow, "id" | "groups" | "price">;

/** The most models without an upstream that are passed over. */
const passedOverMax = 8;

/**
 * The model of a first call, of code examples and of the playground: the default one of those that
 * an upstream can answer now, else the default of all.
 */
export function startModel(models: readonly Choosable[], state: AccountState): string | undefined {
  let left = models;
  for (let passedOver = 0; passedOver < passedOverMax; passedOver++) {
    const id = defaultModel(left, state.nowMs);
    const model = left.find((one) => one.id === id);
    if (model === undefined || answers(model, state)) {
      return id ?? defaultModel(models, state.nowMs);
    }
    left = left.filter((one) => one !== model);
  }
  return defaultModel(models, state.nowMs);
}

function answers({ id, groups: [group] }: Choosable, state: AccountState): boolean {
  return group === undefined ||
    canAnswer({ model: id, group, format: "chat-completions" }, state);
}

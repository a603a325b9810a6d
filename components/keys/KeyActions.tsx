import type { AccountView } from "../../lib/console/page/view.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { A } from "../A.tsx";

/** The actions of a key's own page. */
export function KeyActions(
  { view: { catalog: { keys, keyPage, deleteKey } }, apiKey }: {
    view: AccountView;
    apiKey: ApiKey;
  },
) {
  const path = `/console/token/${apiKey.id}`;
  return (
    <>
      <A class="button" href={`${path}/edit`}>{keyPage.edit}</A>
      <A class="button" href={`${path}/rotate`}>{keyPage.rotate}</A>
      <form method="post" action={`${path}/enabled`}>
        <input type="hidden" name="back" value={path} />
        <button class="button" type="submit" name="enabled" value={String(!apiKey.enabled)}>
          {apiKey.enabled ? keys.disable : keys.enable}
        </button>
      </form>
      <A
        class="button"
        href={`${path}/delete`}
        data-delete-title={deleteKey.title(apiKey.name)}
        data-delete-confirm={deleteKey.confirm(apiKey.name)}
      >
        {keys.remove}
      </A>
    </>
  );
}

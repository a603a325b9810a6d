import { graceNames, usualGrace } from "../../lib/console/keys/key_grace.ts";
import type { AccountView } from "../../lib/console/page/view.ts";

/** The choice of when an old secret stops working. */
export function GraceChoice({ view: { catalog: { keyPage } } }: { view: AccountView }) {
  return (
    <fieldset class="field graces">
      <legend class="legend">{keyPage.oldEnds}</legend>
      {graceNames.map((grace) => (
        <label key={grace}>
          <input type="radio" name="grace" value={grace} checked={grace === usualGrace} />
          <b>{keyPage.graces[grace]}</b>
          <span class="soft">{keyPage.graceHints[grace]}</span>
        </label>
      ))}
    </fieldset>
  );
}

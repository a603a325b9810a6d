import { define } from "../../state.ts";

export default define.layout(({ Component, state }) => (
  <div class="admin" title={state.trail?.join(" ")}>
    <Component />
  </div>
));

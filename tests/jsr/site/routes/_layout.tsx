import { define } from "../state.ts";

export default define.layout(({ Component }) => (
  <div class="root">
    <Component />
  </div>
));

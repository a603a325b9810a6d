import { define } from "../state.ts";

export default define.page(({ error }) => <p>Root error: {String(error)}</p>);

import { define } from "../../state.ts";

export default define.page(({ error }) => <p>Admin error: {String(error)}</p>);

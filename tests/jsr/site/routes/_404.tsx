import { page } from "fresh";
import { define } from "../state.ts";

export const handler = define.handlers(() => page({}, { status: 404 }));

export default define.page(({ url }) => <p>Nothing at {url.pathname}</p>);

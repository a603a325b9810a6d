import { page } from "fresh";
import { define } from "../../state.ts";

export const handler = define.handlers(({ params, route }) => page({ path: params.path, route }));

export default define.page<typeof handler>(({ data }) => <h1>docs {data.path} at {data.route}</h1>);

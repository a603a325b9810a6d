import { define } from "../../state.ts";

export const config = { skipInheritedLayouts: true, skipAppWrapper: true };

export default define.page(({ params }) => <h1>docs {params.path}</h1>);

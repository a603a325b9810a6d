import { define } from "../state.ts";

export const config = { routeOverride: "/elsewhere/:name" };

export default define.page(({ params, route }) => <h1>{params.name} at {route}</h1>);

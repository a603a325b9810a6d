import type { who as english } from "../en/who.ts";

/** The choice of whose data a page shows. */
export const who: typeof english = { label: "数据范围", mine: "我的", everyone: "所有人" };

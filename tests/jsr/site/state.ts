import { createDefine } from "fresh";

export interface SiteState {
  trail?: string[];
}

export const define = createDefine<SiteState>();

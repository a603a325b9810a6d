import { createContext } from "preact";
import type { AccountView } from "../lib/console/page/view.ts";

/** Tells whether the reader's role may follow a link or post a form; without a page, all do. */
export const Opens = createContext<AccountView["opens"]>(() => true);

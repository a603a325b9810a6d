import { createContext } from "preact";
import type { AccountView } from "../lib/console/page/view.ts";

/** Returns true if the reader's role may follow a link or post a form; outside a page, every role may. */
export const Opens = createContext<AccountView["opens"]>(() => true);

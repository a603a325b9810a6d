import type { IsolateOrder } from "./isolate.ts";

/** Starts another isolate of this process, which the test controls. */
export function startIsolate() {
  const worker = new Worker(new URL("./isolate.ts", import.meta.url), { type: "module" });
  return {
    ask(order: IsolateOrder): Promise<string> {
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
        worker.postMessage(order);
      });
    },
    end: () => worker.terminate(),
  };
}

import { assert, assertEquals } from "@std/assert";
import { Activity } from "../lib/activity.ts";
import { later, until } from "./waiting.ts";

/** Counts the steps of an interval of 5 ms. */
function counted(activity: Activity, isNeeded?: () => boolean) {
  const steps: boolean[] = [];
  const stop = activity.every(5, (isResumed) => void steps.push(isResumed), isNeeded);
  return { steps, stop };
}

Deno.test("Activity: an interval goes on while there are requests", async () => {
  const activity = new Activity(1_000);
  const { steps, stop } = counted(activity);
  await until(() => steps.length >= 5, "the interval stops");
  stop();
  const { length } = steps;
  await later(20);
  assertEquals(steps.length, length);
});

Deno.test("Activity: an interval pauses without requests, and the next request resumes it", async () => {
  const activity = new Activity(20);
  const { steps, stop } = counted(activity);
  await later(60);
  const { length } = steps;
  await later(60);
  assertEquals(steps.length, length);
  activity.note();
  assertEquals(steps.slice(length), [true]);
  await until(() => steps.length > length + 2, "the interval does not go on");
  assert(!steps.slice(length + 1).includes(true));
  stop();
});

Deno.test("Activity: an interval goes on while a request is in progress", async () => {
  for (const isAborted of [false, true]) {
    const activity = new Activity(0);
    const { steps, stop } = counted(activity);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    activity.noteRequest(promise);
    await until(() => steps.length >= 5, "the interval stops");
    if (isAborted) reject(new Error("the caller has left"));
    else resolve();
    await later(30);
    const { length } = steps;
    await later(30);
    assertEquals(steps.length, length);
    stop();
  }
});

Deno.test("Activity: an interval that is needed goes on without requests", async () => {
  let isNeeded = true;
  const activity = new Activity(0);
  const { steps, stop } = counted(activity, () => isNeeded);
  await until(() => steps.length >= 5, "the interval stops");
  isNeeded = false;
  await later(30);
  const { length } = steps;
  await later(30);
  assertEquals(steps.length, length);
  stop();
});

Deno.test("Activity: a stopped interval is not resumed", async () => {
  const activity = new Activity(0);
  const { steps, stop } = counted(activity);
  await until(() => steps.length > 0, "no step");
  await later(20);
  stop();
  const { length } = steps;
  activity.note();
  await later(20);
  assertEquals(steps.length, length);
});

Deno.test("Activity: an interval that its own step stops is not resumed", async () => {
  const activity = new Activity(0);
  let steps = 0;
  const stop = activity.every(1, () => {
    steps++;
    stop();
  });
  await later(20);
  activity.note();
  await later(20);
  assertEquals(steps, 1);
});

Deno.test("Activity: after a pause an answer waits for the first steps, until they have settled", async () => {
  const activity = new Activity(0);
  const { promise, reject } = Promise.withResolvers<void>();
  const stop = activity.every(1, (isResumed) => isResumed ? promise : undefined);
  activity.note();
  assertEquals(activity.afterPause(() => "at once"), "at once");
  await later(20);
  activity.note();
  let answered = 0;
  const answers = [1, 2].map(() => activity.afterPause(() => ++answered));
  await later(20);
  assertEquals(answered, 0);
  reject(new Error("the store is away"));
  assertEquals(await Promise.all(answers), [1, 2]);
  assertEquals(activity.afterPause(() => ++answered), 3);
  stop();
});

Deno.test("Activity: an answer waits half a second at most for a first step that hangs", async () => {
  const activity = new Activity(0);
  const { promise } = Promise.withResolvers<void>();
  const stop = activity.every(1, (isResumed) => isResumed ? promise : undefined);
  await later(20);
  activity.note();
  const startedAt = performance.now();
  assertEquals(await activity.afterPause(() => "late"), "late");
  const ms = performance.now() - startedAt;
  assert(ms > 400 && ms < 1_500, `${ms} ms`);
  assertEquals(activity.afterPause(() => "at once"), "at once");
  stop();
});

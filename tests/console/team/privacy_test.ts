import { assert, assertEquals } from "@std/assert";
import { openTestConsole, type TestBrowser, testConsole } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall } from "../records.ts";
import { addressOf, consoleRoutes } from "../routes.ts";
import { curiousAddresses, hidden, hiddenCall, other, samples, wordsOfOthers } from "./curious.ts";
import { addTeam } from "./mod.ts";

interface Answer {
  readonly path: string;
  readonly status: number;
  readonly html: string;
}

const routes = consoleRoutes.filter(({ pattern }) => pattern.startsWith("/console"));
/** Shown to everybody: the speed, success and calls of a model for all accounts together. */
const measured = ["/console/pricing", "/console/pricing/model"];
/** A new secret at every visit, and sessions in the order of random IDs. */
const random = ["/console/account/totp", "/console/account"];

Deno.test(
  "privacy: a member's answers are the same with and without the other accounts",
  { sanitizeOps: false, sanitizeResources: false },
  async () => {
    const among = await answersAs(() => true);
    const alone = await answersAs((id) => id === member.id);
    assert(among.filter(({ status }) => status === 200).length > 1_000);
    const compared = (answers: readonly Answer[]) =>
      answers.filter(({ path }) => ![...measured, ...random].includes(path.split("?")[0]));
    const others = new Map(compared(alone).map((one) => [one.path, one]));
    const differing = compared(among).filter((one) =>
      one.status !== others.get(one.path)?.status ||
      comparable(one.html) !== comparable(others.get(one.path)?.html ?? "")
    );
    assertEquals(differing.map(({ path }) => path), []);
    assertEquals(among.flatMap(leaksOf), []);
  },
);

testConsole("privacy: an administrator's answers have these words", async (console) => {
  await addOthers(console);
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(`/console/log/${hiddenCall.id}`);
  const shown = leaksOf({ path: "/console/log", status: 200, html });
  for (const word of [hidden.model, hidden.ip, hidden.userAgent, other.keyId]) {
    assert(shown.some((one) => one.endsWith(word)), word);
  }
});

async function answersAs(isAdded: (accountId: string) => boolean): Promise<readonly Answer[]> {
  const { console, close } = await openTestConsole();
  try {
    if (isAdded(other.accountId)) await addOthers(console);
    else await addTeam(console.store, isAdded);
    await console.directory.refresh();
    return await answersOf(await console.signedIn(member));
  } finally {
    await close();
  }
}

async function addOthers(
  { store }: Pick<Parameters<Parameters<typeof testConsole>[1]>[0], "store">,
) {
  await addTeam(store);
  await addCall(store, { ...other, ...hidden, ...hiddenCall });
}

async function answersOf(browser: TestBrowser): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { pattern } of routes) {
    const isAdmin = pattern.startsWith("/console/admin");
    for (const path of curiousAddresses(addressOf(pattern, samples))) {
      const { status, html, headers } = await browser.get(path);
      answers.push({ path, status, html });
      if (isAdmin) assertEquals(status, 403, path);
      // One address of each is enough: streams are slow, and the others ignore the query.
      if (isAdmin || headers.get("content-type")?.startsWith("text/event-stream")) break;
    }
  }
  return answers;
}

/** Without what is random, and the place of a row in the storage of the log. */
function comparable(html: string): string {
  return html.replace(/nonce="[^"]*"/g, "")
    .replace(/__FRSH_STATE_[\w-]+/g, "")
    .replace(/before=\d+\.\d+\.\w+/g, "before=");
}

/** The words of other accounts in an answer, but for those that its own address has. */
function leaksOf({ path, html }: Answer): string[] {
  const asked = decodeURIComponent(path.replaceAll("+", " "));
  return wordsOfOthers.filter((word) => html.includes(word) && !asked.includes(word))
    .map((word) => `${path}: ${word}`);
}

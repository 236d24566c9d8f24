/**
 * What is typed in pages over nodes of which one is killed: each session is paid for once, a key for browsers spends its day's cap to the last token, and
 * nothing is lost that a client saw charged.
 */
import { expect, it } from "vitest";
import { type Answer, type Asked, codeOf } from "../kit/answer.ts";
import { chargedIn, expectRefusedForNothing } from "../kit/busyDatabase.ts";
import { load } from "../kit/client.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount } from "../kit/thorough.ts";
import { awayFromDayEnd, until } from "../kit/until.ts";
import { CONNECTIONS, startNodes } from "./nodes.ts";

const KILLS = amount({ ordinary: 2, thorough: 3 });
const SESSIONS = 30;
/** Of each session at each node, with the one that is killed 36: fewer than may follow, so that each costs one token however it goes. */
const CALLS = 12;
/** Calls with the key for browsers, at each node beside each kill. */
const CAPPED_CALLS = 120;
/** More than the nodes that stay are asked for beside all kills but the last, and less than beside all of them. */
const CAP = 200 * KILLS;
const ORIGIN = "https://shop.example";

type Typed = Asked & { readonly session?: string };

it(`cost one token a session and a cap exactly, over ${KILLS} kills, with calls at three nodes at once`, async () => {
  await awayFromDayEnd();
  const nodes = await startNodes({}, { TRUST_PROXY: "127.0.0.1" });
  const { key } = await nodes.world.account("plenty");
  const owner = await nodes.world.account("plenty");
  const page = await nodes.world.withAccounts((accounts) =>
    accounts.createKey(owner.id, "page", "pub", { origins: [ORIGIN], dailyTokens: CAP }),
  );
  const typed = (session: string): Typed => ({
    path: `/v1/autocomplete?q=fabelkorst&session=${session}`,
    key,
    session,
  });
  let visitors = 0;
  /** Each of another visitor: one address has thirty calls a minute. */
  const capped = (): Typed => {
    visitors += 1;
    const address = `198.51.${visitors >> 8}.${visitors & 255}`;
    const headers = { origin: ORIGIN, "x-forwarded-for": address };
    return { path: "/v1/autocomplete?q=fabelkorst", key: page.key, headers };
  };
  /** Every session in turn, so that first calls come at once, and between them calls with the key for browsers. */
  const rounds = (names: readonly string[]): Typed[] =>
    Array.from({ length: CALLS }, () => [
      ...names.map(typed),
      ...Array.from({ length: CAPPED_CALLS / CALLS }, capped),
    ]).flat();
  const codesOf = (answers: readonly Answer[]) => new Set(answers.map(codeOf));
  const seenOfCap: Answer[] = [];
  let paidFor = 0;
  let unseenOfCap = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = await nodes.start();
    const names = Array.from({ length: SESSIONS }, (_, index) => `typed-by-somebody-${kill}-${index}`);
    const seen: Answer[] = [];
    const note = (answer: Answer, { session }: Typed) =>
      (session === undefined ? seenOfCap : seen).push(answer);
    const besides = nodes.load(() => rounds(names), { connections: 8, onAnswer: note });
    const killAt = 50 + 120 * kill;
    const { unanswered } = await load(victim, rounds(names), {
      connections: CONNECTIONS,
      onAnswer: (answer, count, asked) => {
        note(answer, asked);
        if (count === killAt) victim.program.child.kill("SIGKILL");
        return true;
      },
    });
    await besides;
    await victim.program.ended;
    expectRefusedForNothing(seen);
    expect(unanswered.length).toBeGreaterThan(0);
    unseenOfCap += unanswered.filter(({ session }: Typed) => session === undefined).length;
    // What the killed node had charged and told nobody of is not charged again by those who are left.
    expect(chargedIn(seen)).toBeLessThanOrEqual(SESSIONS);
    const after = await nodes.load((node) => (node === 0 ? names.map(typed) : []));
    expect(chargedIn(after)).toBe(0);
    paidFor += SESSIONS;
    expect(await nodes.used(key)).toBe(paidFor);
  }
  // Whatever the killed nodes had spent and told nobody of, the day ends where it was to end, on every node.
  const noteOfCap = (answer: Answer) => seenOfCap.push(answer);
  await until("the cap is spent", async () => {
    if (codesOf(seenOfCap).has("QUOTA_EXCEEDED")) return true;
    await nodes.load(() => Array.from({ length: CONNECTIONS }, capped), { onAnswer: noteOfCap });
    return false;
  });
  const codes = codesOf(seenOfCap).difference(new Set(["SERVICE_UNAVAILABLE"]));
  expect(codes).toEqual(new Set([undefined, "QUOTA_EXCEEDED"]));
  const last = await nodes.load(() => Array.from({ length: CONNECTIONS }, capped));
  expect(codesOf(last)).toEqual(new Set(["QUOTA_EXCEEDED"]));
  const told = chargedIn(seenOfCap);
  expect([told <= CAP, told >= CAP - unseenOfCap]).toEqual([true, true]);
  expect(await nodes.used(owner.key)).toBe(CAP);
  await expectSoundState(nodes.world);
});

/**
 * Autocomplete in pages on nodes of which one is killed: each session is paid for once, a browser key spends its daily
 * cap to the last token, and no charge that a client saw is lost.
 */
import { expect, it } from "vitest";
import { type Answer, codeOf, type TestRequest } from "../kit/answer.ts";
import { chargedIn, expectRefusedForNothing } from "../kit/busyDatabase.ts";
import { load } from "../kit/client.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount } from "../kit/thorough.ts";
import { awayFromDayEnd, until } from "../kit/until.ts";
import { CONNECTIONS, startNodes } from "./nodes.ts";

const KILLS = amount({ ordinary: 2, thorough: 3 });
const SESSIONS = 30;
/**
 * Calls of each session at each node, 36 with the killed one: fewer than a session allows, so that each costs one token
 * in any case.
 */
const CALLS = 12;
/** Calls with the browser key, at each node during each kill. */
const CAPPED_CALLS = 120;
/** More than the surviving nodes spend during all kills but the last, and less than during all of them. */
const CAP = 200 * KILLS;
const ORIGIN = "https://shop.example";

type Typed = TestRequest & { readonly session?: string };

it(`sessions cost one token each and a cap is exact, over ${KILLS} kills, with calls at three nodes at once`, async () => {
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
  /** Each from another visitor: an address is limited to thirty calls a minute. */
  const capped = (): Typed => {
    visitors += 1;
    const address = `198.51.${visitors >> 8}.${visitors & 255}`;
    const headers = { origin: ORIGIN, "x-forwarded-for": address };
    return { path: "/v1/autocomplete?q=fabelkorst", key: page.key, headers };
  };
  /** Rotates through the sessions, so that first calls coincide, and mixes in calls with the browser key. */
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
    const survivors = nodes.load(() => rounds(names), { connections: 8, onAnswer: note });
    const killAt = 50 + 120 * kill;
    const { unanswered } = await load(victim, rounds(names), {
      connections: CONNECTIONS,
      onAnswer: (answer, count, request) => {
        note(answer, request);
        if (count === killAt) victim.program.child.kill("SIGKILL");
        return true;
      },
    });
    await survivors;
    await victim.program.ended;
    expectRefusedForNothing(seen);
    expect(unanswered.length).toBeGreaterThan(0);
    unseenOfCap += unanswered.filter(({ session }: Typed) => session === undefined).length;
    // Unreported charges of the killed node are not charged again by the others.
    expect(chargedIn(seen)).toBeLessThanOrEqual(SESSIONS);
    const after = await nodes.load((node) => (node === 0 ? names.map(typed) : []));
    expect(chargedIn(after)).toBe(0);
    paidFor += SESSIONS;
    expect(await nodes.used(key)).toBe(paidFor);
  }
  // Including the unreported spending of the killed nodes, the cap ends at the same total on every node.
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
  const charged = chargedIn(seenOfCap);
  expect([charged <= CAP, charged >= CAP - unseenOfCap]).toEqual([true, true]);
  expect(await nodes.used(owner.key)).toBe(CAP);
  await expectSoundState(nodes.world);
});

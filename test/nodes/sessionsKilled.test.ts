/** Sessions of typing over nodes of which one is killed: each is paid for once, and none is lost that a client saw charged. */
import { expect, it } from "vitest";
import { type Answer, type Asked, numberIn } from "../kit/answer.ts";
import { load } from "../kit/client.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { CONNECTIONS, startNodes } from "./nodes.ts";

const KILLS = 2;
const SESSIONS = 40;
/** Of each session at each node, with the one that is killed 36: fewer than may follow, so that each costs one token however it goes. */
const CALLS = 12;

type Typed = Asked & { readonly session: string };

it(`costs one token each over ${KILLS} kills, with calls of each session at three nodes at once`, async () => {
  const nodes = await startNodes();
  const { key } = await nodes.world.account("plenty");
  const typed = (session: string): Typed => ({
    path: `/v1/autocomplete?q=fabelkorst&session=${session}`,
    key,
    session,
  });
  /** Every session in turn, so that first calls come at once. */
  const rounds = (names: readonly string[]): Typed[] =>
    Array.from({ length: CALLS }, () => names.map(typed)).flat();
  const charged = (answers: readonly Answer[]) =>
    answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
  let paidFor = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = await nodes.start();
    const names = Array.from({ length: SESSIONS }, (_, index) => `typed-by-somebody-${kill}-${index}`);
    const besides = nodes.load(() => rounds(names), { connections: 8 });
    const killAt = 50 + 200 * kill;
    const { answers, unanswered } = await load(victim, rounds(names), {
      connections: CONNECTIONS,
      onAnswer: (_, count) => {
        if (count === killAt) victim.program.child.kill("SIGKILL");
        return true;
      },
    });
    const seen = [...answers, ...(await besides)];
    await victim.program.ended;
    expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
    expect(unanswered.length).toBeGreaterThan(0);
    // What the killed node had charged and told nobody of is not charged again by those who are left.
    expect(charged(seen)).toBeLessThanOrEqual(SESSIONS);
    const after = await nodes.load((node) => (node === 0 ? names.map(typed) : []));
    expect(charged(after)).toBe(0);
    paidFor += SESSIONS;
    expect(await nodes.used(key)).toBe(paidFor);
  }
  await expectSoundState(nodes.world);
});

/** A verdict that a caller received survives `kill -9`, and so does its charge. */
import { expect, it } from "vitest";
import { type Answer, jsonOf, numberIn } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { startService } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { validationOf, verdictIn } from "../kit/vat.ts";
import { fictionalRsins, REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";

const CONNECTIONS = 32;
const KILL_AT = 150;
/** Every verdict must be VIES's own, however slow the machine is. */
const LONG_MS = "30000";
const SHORT_MS = "1000";

it("a verdict survives a kill, as fresh while it is, and as stale when a new answer is requested", async () => {
  const vies = await startVies({ companyOf: () => REGISTERED });
  const world = await makeWorld({
    companies: [],
    environment: { VIES_URL: vies.url, VIES_PER_STATE: "16", VIES_DEADLINE_MS: LONG_MS },
  });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const service = await startService(world);
  const calls = fictionalRsins(1_000).map((rsin) => ({ path: validationOf(`NL${rsin}B01`), key }));
  const { answers, unanswered } = await load(service, calls, {
    connections: CONNECTIONS,
    onAnswer: (_answer, count) => {
      if (count === KILL_AT) service.program.child.kill("SIGKILL");
      return true;
    },
  });
  await service.program.ended;
  await vies.stop();
  expect(answers.length).toBeGreaterThanOrEqual(KILL_AT);
  expect(unanswered.length).toBe(CONNECTIONS);
  const given = answers.filter(({ status }) => status === 200);
  expect(given.length).toBeGreaterThan(0);

  const restarted = await startService({ environment: { ...world.environment, VIES_DEADLINE_MS: SHORT_MS } });
  const usage = async (): Promise<number> => {
    const usage: Answer = await ask(restarted, { path: "/v1/usage", key });
    return (jsonOf(usage) as { tokens: { used: number } }).tokens.used;
  };
  const seen = given.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
  const used = await usage();
  expect(used).toBeGreaterThanOrEqual(seen);
  expect(used).toBeLessThanOrEqual(seen + CONNECTIONS);

  for (const answer of given) {
    const verdict = verdictIn(answer);
    const path = validationOf(verdict.vatNumber);
    expect(verdictIn(await ask(restarted, { path, key }))).toEqual(verdict);
  }
  const [first] = given.map(verdictIn);
  const stale = await ask(restarted, { path: `${validationOf(first?.vatNumber ?? "")}?maxAge=0`, key });
  expect(verdictIn(stale)).toEqual({ ...first, status: "stale", ageSeconds: expect.any(Number) });
  expect(await usage()).toBe(used + given.length + 1);
  await expectSoundState(world);
});

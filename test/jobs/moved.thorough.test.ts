/**
 * A running list resumes after its state was moved to another store, and after a backup was restored: each number once.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, PLENTY, temporaryFolder } from "../kit/world.ts";
import { begun, completed, listWhen, results } from "./lists.ts";

const TOKENS = 60;
/** The initial tokens do not suffice to finish it, however fast it runs. */
const NUMBERS = [...Array.from({ length: 1_000 }, (_, index) => String(70_000_000 + index)), ...PLAIN];

async function expectProgress(service: Service, key: string, id: string): Promise<void> {
  expect(await completed(service, key, id)).toMatchObject({
    counts: { done: NUMBERS.length, found: PLAIN.length },
    tokens: { charged: PLAIN.length },
  });
  expect((await results(service, key, id)).map(({ number }) => number)).toEqual(NUMBERS);
  expect(jsonOf(await ask(service, { path: "/v1/usage", key }))).toMatchObject({
    tokens: { used: PLAIN.length },
  });
}

it("a list resumes after a kill on another store, and from a backup", async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("moved lists");
  const tiers = { few: { ...PLENTY, monthlyTokens: TOKENS } };
  const [world, other] = await Promise.all([makeWorld({ tiers }), makeWorld({ tiers })]);
  const folder = join(temporaryFolder(), "backups");
  const run = async (words: readonly string[], environment: NodeJS.ProcessEnv) => {
    const { code, err } = await opzoek(words, environment);
    expect(code, err).toBe(0);
  };
  const { id: accountId, key } = await world.account("few");
  await awayFromMonthEnd();
  const service = await startService(world);
  const { id } = await begun(service, key, NUMBERS);
  await listWhen(service, key, id, ({ counts }) => counts.done > 0);
  await run(["backup", folder], world.environment);
  service.program.child.kill("SIGKILL");
  await service.program.ended;

  await run(["state", "move", "--to", DATABASE_URL], world.environment);
  const [backup = ""] = readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
  await run(["restore", join(folder, backup)], other.environment);
  for (const environment of [{ ...world.environment, DATABASE_URL }, other.environment]) {
    await expectSoundState({ environment });
    await run(["account", "tier", accountId, "plenty"], environment);
    const goingOn = await startService({ environment });
    await expectProgress(goingOn, key, id);
    expect(await goingOn.end("SIGTERM")).toBe(0);
    await expectSoundState({ environment });
  }
});

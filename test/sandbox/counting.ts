import { expect, it } from "vitest";
import { type Answer, codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { opzoek } from "../kit/opzoek.ts";
import type { Service } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import type { World } from "../kit/world.ts";

/** The allowance of the tier `few`. */
export const LEFT = 137;
const CALLS = 400;

/** An account's keys. */
export interface Keys {
  readonly accountId: string;
  readonly live: string;
  readonly test: string;
  readonly tests: readonly string[];
}

/** A running service, and its clients. */
interface Running {
  readonly world: World;
  readonly service: Service;
  account(tierName: string): Promise<Keys>;
  get(path: string, key?: string): Promise<Answer>;
  /** Stops the service by a signal and starts it again. */
  restart(signal: NodeJS.Signals): Promise<void>;
}

/** Test keys' usage is counted separately, to the token. */
export function countsOfTestKeys(running: () => Running): void {
  it("count exactly the tier's allowance over two keys in parallel, and do not affect the live one", async () => {
    const { world, service, account, get } = running();
    const { live, tests, accountId } = await account("few");
    const spend = async (key: string) => {
      const calls = Array.from({ length: CALLS }, () => ({ path: "/v1/lookup/99990001", key }));
      const { answers } = await load(service, calls, { connections: 16 });
      for (const answer of answers) {
        if (answer.status !== 200) expect(codeOf(answer)).toBe("QUOTA_EXCEEDED");
      }
      return answers.filter(({ status }) => status === 200).length;
    };
    const delivered = await Promise.all(tests.map(spend));
    expect(delivered.reduce((sum, more) => sum + more, 0)).toBe(LEFT);
    const spent = await get("/v1/usage", tests[0]);
    expect(jsonOf(spent)).toMatchObject({
      isTest: true,
      tokens: { limit: LEFT, used: LEFT, remaining: 0 },
      operations: expect.arrayContaining([expect.objectContaining({ operation: "lookup", tokens: LEFT })]),
    });
    const usage = jsonOf(await get("/v1/usage", live)) as { operations: { operation: string }[] };
    expect(usage).toMatchObject({ tokens: { used: 0, remaining: LEFT } });
    expect(usage.operations.map(({ operation }) => operation)).toEqual(["usage"]);
    expect(usage).not.toHaveProperty("isTest");
    expect(numberIn(await get(`/v1/lookup/${BAKERY}`, live), "x-tokens-remaining")).toBe(LEFT - 1);
    const { out } = await opzoek(["usage", accountId, "--json"], world.environment);
    expect(JSON.parse(out)).toMatchObject({ tokens: { used: 1 }, test: { tokens: { used: LEFT } } });
    const { out: text } = await opzoek(["usage", accountId], world.environment);
    expect(text).toContain(`test keys: ${LEFT} of ${LEFT} test tokens`);
  });

  it("have a rate window each, like any key", async () => {
    const { account, get } = running();
    const { tests } = await account("slow");
    const ask4 = async (key: string) => {
      const answers: Answer[] = [];
      for (let nth = 0; nth < 4; nth++) answers.push(await get("/v1/lookup/99990001", key));
      return answers;
    };
    // A minute may end meanwhile: then there is one refusal fewer.
    const refused = (await ask4(tests[0] ?? "")).filter(({ status }) => status === 429);
    for (const answer of refused) expectError(answer, "RATE_LIMIT_EXCEEDED");
    expect(refused.length).toBeLessThanOrEqual(1);
    expect((await get("/v1/lookup/99990001", tests[1])).status).toBe(200);
  });

  it("keep their count through kill -9, with a consistent state", async () => {
    const { world, account, get, restart } = running();
    const { test, live } = await account("few");
    for (let nth = 0; nth < 5; nth++) await get("/v1/lookup/99990001", test);
    await restart("SIGKILL");
    expect(jsonOf(await get("/v1/usage", test))).toMatchObject({ tokens: { used: 5 } });
    expect(jsonOf(await get("/v1/usage", live))).toMatchObject({ tokens: { used: 0 } });
    await running().service.end("SIGTERM");
    await expectSoundState(world);
  });
}

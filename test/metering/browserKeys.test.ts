/** A browser key's spending is exact over two worker processes of a real service, on either store. */
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, type TestRequest } from "../kit/answer.ts";
import { load } from "../kit/client.ts";
import { processOf } from "../kit/connections.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const ORIGIN = "https://shop.example";
const CAP = 77;
const CALLS = 600;
const PER_ADDRESS = 30;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Repeats calls until all fall within one period of the clock. */
async function within(periodMs: number, calls: () => Promise<readonly Answer[]>): Promise<readonly Answer[]> {
  for (;;) {
    const period = Math.floor(Date.now() / periodMs);
    const answers = await calls();
    if (Math.floor(Date.now() / periodMs) === period) return answers;
  }
}

describe.each(variants(["the embedded store", "PostgreSQL"], { ordinary: 1 }))(
  "a browser key on %s",
  (store) => {
    it("spends its daily cap to the last token, and allows each address thirty calls a minute", async () => {
      const database =
        store === "PostgreSQL"
          ? { DATABASE_URL: await (await sharedPostgres()).database("browsers"), WORKERS: "2" }
          : {};
      const world = await makeWorld({ environment: { TRUST_PROXY: "127.0.0.1", ...database } });
      const { id } = await world.account("plenty");
      const keyWith = (dailyTokens: number) =>
        world.withAccounts((accounts) =>
          accounts.createKey(id, "page", "pub", { origins: [ORIGIN], dailyTokens }),
        );
      await awayFromMonthEnd();
      const service = await startService(world);
      const processes = new Set<string>();
      const calls = async (key: string, addressOf: (index: number) => string): Promise<readonly Answer[]> => {
        const requests: TestRequest[] = Array.from({ length: CALLS }, (_, index) => ({
          path: "/v1/autocomplete?q=bakkerij",
          key,
          headers: { origin: ORIGIN, "x-forwarded-for": addressOf(index) },
        }));
        const { answers, unanswered } = await load(service, requests, { connections: 32 });
        expect(unanswered).toEqual([]);
        for (const answer of answers) processes.add(processOf(answer));
        return answers;
      };
      const count = (answers: readonly Answer[], code: string | undefined) =>
        answers.filter((answer) => codeOf(answer) === code).length;

      const capped = await within(DAY_MS, async () => {
        const { key } = await keyWith(CAP);
        return calls(key, (index) => `198.51.${index >> 8}.${index & 255}`);
      });
      expect([count(capped, undefined), count(capped, "QUOTA_EXCEEDED")]).toEqual([CAP, CALLS - CAP]);

      const limited = await within(MINUTE_MS, async () => {
        const { key } = await keyWith(10_000);
        return calls(key, (index) => (index % 2 === 0 ? "192.0.2.1" : `2001:db8:1:2::${index}`));
      });
      // Each process counts the addresses that it sees.
      const perProcess = Map.groupBy(limited, processOf);
      for (const answers of perProcess.values()) {
        expect(count(answers, undefined)).toBeLessThanOrEqual(2 * PER_ADDRESS);
        expect(count(answers, undefined) + count(answers, "RATE_LIMIT_EXCEEDED")).toBe(answers.length);
      }
      expect(count(limited, "RATE_LIMIT_EXCEEDED")).toBeGreaterThanOrEqual(CALLS - 4 * PER_ADDRESS);
      if (store !== "PostgreSQL") expect(count(limited, undefined)).toBe(2 * PER_ADDRESS);
      expect(processes.size).toBe(store === "PostgreSQL" ? 2 : 1);
      expect(await service.end("SIGTERM")).toBe(0);
    });
  },
);

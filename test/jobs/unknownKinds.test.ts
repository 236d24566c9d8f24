/**
 * Lists that a newer version accepted: an older node leaves them to it, reports them once and works as before, on
 * either store.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, PLAIN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored, storedTexts } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";
import { begun, change, completed, list } from "./lists.ts";

const KIND = "horoscope";
const AWAY = "the state store is unavailable: calls are refused";
const OLDER_MARK = "0 0";

const STORES = [
  ["embedded", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("kinds") })],
] as const;

describe.each(variants(STORES, { ordinary: 1 }))(
  "a list of an unknown kind, on the %s store,",
  (_, environment) => {
    let world: World;
    let key: string;
    let node: Service;
    const ids = { live: "", test: "" };

    /** Log lines about unknown kinds. */
    const reported = () => node.log().filter(({ kinds }) => kinds !== undefined);

    beforeAll(async () => {
      world = await makeWorld({ environment: await environment() });
      const account = await world.account("plenty");
      key = account.key;
      const testKey = await world.withAccounts((accounts) =>
        accounts.createKey(account.id, "test key", "test"),
      );
      const newer = await startService(world);
      ids.live = (await begun(newer, key, [...PLAIN])).id;
      ids.test = (await begun(newer, testKey.key, ["99990001"])).id;
      await completed(newer, key, ids.live);
      await completed(newer, testKey.key, ids.test);
      expect(await newer.end("SIGTERM")).toBe(0);
      await changeStored(
        world,
        `update jobs set kind = '${KIND}', status = 'queued', due_at_ms = 0, ended_at_ms = null;
       update job_results set mark = '${OLDER_MARK}';
       insert into job_blocks (job_id, account_id, block, attempt, due_at_ms, size, taken, numbers)
         select id, account_id, 9, 0, 0, 1, 0, '["${BAKERY}"]' from jobs`,
      );
      node = await startService(world);
    });

    it("is reported once, with its kind", async () => {
      await until("it is reported", () => reported().length > 0);
      expect(reported()).toMatchObject([{ level: 40, kinds: [KIND] }]);
    });

    it("delays no other list of its account, and is never reported as an outage", async () => {
      const { id } = await begun(node, key, [...PLAIN]);
      await completed(node, key, id);
      expect(reported()).toHaveLength(1);
      expect(node.log().filter(({ msg }) => msg === AWAY)).toEqual([]);
    });

    it("is not claimed, and its results are left to the version that can read them", async () => {
      // A second pass of the upkeep would renew them first.
      const { code, err } = await opzoek(["forget", "51999999"], world.environment);
      expect(code, err).toBe(0);
      const stored = await storedTexts(
        world,
        `select distinct claim || ' ' || status || ' ' || mark from jobs
       join job_results on job_results.job_id = jobs.id where kind = '${KIND}'`,
      );
      expect(stored).toEqual([`1 queued ${OLDER_MARK}`]);
    });

    it("is shown to its account with its kind, and its results get 503 until its node can read them", async () => {
      expect(await list(node, key, ids.live)).toMatchObject({ kind: KIND, status: "queued" });
      const all = jsonOf(await ask(node, { path: "/v1/jobs", key }));
      expect(all).toMatchObject({
        jobs: expect.arrayContaining([expect.objectContaining({ id: ids.test, kind: KIND })]),
      });
      for (const format of ["jsonl", "csv"]) {
        const answer = await ask(node, { path: `/v1/jobs/${ids.live}/results?format=${format}`, key });
        expect(answer.status).toBe(503);
        expect(answer.headers["retry-after"]).toBe("60");
        expect(answer.text).toContain("does not know lists of this kind");
      }
    });

    it("can be paused, resumed and cancelled", async () => {
      for (const how of ["pause", "resume", "cancel"]) {
        expect((await change(node, key, ids.live, how)).status).toBe(200);
      }
    });
  },
);

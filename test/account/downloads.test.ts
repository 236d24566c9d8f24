/**
 * Account downloads are read in steps, so that a concurrent charge waits for one step at most, and are still complete.
 */

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SessionState, UsageRange } from "../../src/contract/accountResources.ts";
import { listen } from "../../src/http/server.ts";
import { type LedgerLine, LINES_PER_STEP } from "../../src/metering/ledger.ts";
import { allLines } from "../../src/metering/ledgerReads.ts";
import type { LedgerQueries } from "../../src/metering/queries/ledger.ts";
import { NO_FIGURES } from "../../src/metering/usage.ts";
import { Browser } from "../kit/browser.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored } from "../kit/storedState.ts";
import { call, outcomes } from "../kit/stores/fixture.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld, type World } from "../kit/world.ts";

const DAYS = ["2026-03-13", "2026-03-14", "2026-03-15"];
/** More than one step reads, even for a single day. */
const KEYS = 601;
const TEST_KEYS = 501;
const FIGURES_OF_LIVE = 8;
const FIGURES_OF_TEST = 6;

const server = await sharedPostgres();

describe.each(variants(["embedded", "on PostgreSQL"], { ordinary: 1 }))("of a state that is %s", (store) => {
  let world: World;
  let inside: InProcess;
  let browser: Browser;
  let id: string;
  /** For each read of the ledgers: the number of rows and of names. */
  const sizes: number[] = [];
  const named: number[] = [];
  /** Called after each step; may throw. */
  let afterStep: (step: number) => Promise<void>;

  const watched = (ledger: LedgerQueries): LedgerQueries => ({
    ...ledger,
    async lines(...range) {
      const lines = await ledger.lines(...range);
      await afterStep(sizes.push(lines.length));
      return lines;
    },
  });

  /** Every second id begins with a lowercase letter, which a locale sorts before the uppercase letter of the others. */
  const keyId = (index: number) => `key_${index % 2 === 0 ? "a" : "B"}${String(index).padStart(4, "0")}`;
  const nameOf = (index: number) => (index === 7 ? '=1,"x"' : `key ${index}`);

  beforeAll(async () => {
    const database = store === "embedded" ? {} : { DATABASE_URL: await server.localeDatabase("downloads") };
    world = await makeWorld({ companies: [], environment: { SIGNUP: "open", ...database } });
    inside = await composeInProcess(world, {
      replace: ({ state }) => ({
        state: {
          ...state,
          ledger: watched(state.ledger),
          testLedger: watched(state.testLedger),
          people: {
            ...state.people,
            keysNamed: (accountId, keyIds) => {
              named.push(keyIds.length);
              return state.people.keysNamed(accountId, keyIds);
            },
          },
        },
      }),
    });
    browser = new Browser(inside.app);
    await browser.enter("much@fabel.example");
    id = (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";
    const keys = Array.from({ length: KEYS }, (_, index) => {
      return `('${keyId(index)}', '${id}', '${nameOf(index)}', 'hash ${index}', 'opz_live_', '0000',
        '2026-03-01T00:00:00.000Z', 'live')`;
    });
    await changeStored(
      world,
      `insert into keys (id, account_id, name, hash, prefix, last_four, created_at, kind) values ${keys.join(", ")}`,
    );
    const filed = (index: number, day: string | undefined, isTest = 0) =>
      `('${id}', '${keyId(index)}', '${day}', 'lookup', ${index}, 2, 3, 4, 5, 6, ${isTest})`;
    const columns =
      "account_id, key_id, day, operation, requests, tokens, refused_rate, refused_allowance, sessions, session_calls, is_test";
    const lines = DAYS.flatMap((day) => Array.from({ length: KEYS }, (_, index) => filed(index, day)));
    await changeStored(world, `insert into ledger (${columns}) values ${lines.join(", ")}`);
    const tested = Array.from({ length: TEST_KEYS }, (_, index) => filed(index, DAYS[1], 1));
    await changeStored(world, `insert into ledger (${columns}) values ${tested.join(", ")}`);
    await changeStored(
      world,
      `insert into failed_calls (account_id, key_id, day, operation, failed_caller, failed_service)
       values ('${id}', '${keyId(3)}', '${DAYS[0]}', 'lookup', 7, 8), ('${id}', '${keyId(4)}', '${DAYS[0]}', 'other', 9, 0)`,
    );
  });
  beforeEach(() => {
    sizes.length = 0;
    named.length = 0;
    afterStep = () => Promise.resolve();
  });

  /** The lines as written above, ordered by the code points of their ids. */
  function written() {
    const line = (
      index: number,
      day: string | undefined,
      operation: LedgerLine["operation"] = "lookup",
    ): LedgerLine => ({
      keyId: keyId(index),
      day: day ?? "",
      operation,
      ...NO_FIGURES,
    });
    const filed = (index: number, day: string | undefined): LedgerLine => ({
      ...line(index, day),
      requests: index,
      tokens: 2,
      refusedByRate: 3,
      refusedByAllowance: 4,
      sessions: 5,
      sessionCalls: 6,
    });
    const live = DAYS.flatMap((day, at) =>
      Array.from({ length: KEYS }, (_, index) => {
        if (at === 0 && index === 3) return { ...filed(3, day), failedByCaller: 7, failedByService: 8 };
        return filed(index, day);
      }),
    );
    live.push({ ...line(4, DAYS[0], "other"), failedByCaller: 9 });
    const tested = Array.from({ length: TEST_KEYS }, (_, index) => filed(index, DAYS[1]));
    const text = (one: LedgerLine) => `${one.day} ${one.keyId} ${one.operation}`;
    const inOrder = (lines: LedgerLine[]) => lines.sort((one, other) => (text(one) < text(other) ? -1 : 1));
    return { live: inOrder(live), tested: inOrder(tested) };
  }

  it("streams the lines of a month in steps, in order", async () => {
    const csv = await browser.ask("GET", "/account/usage.csv?month=2026-03");
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const { live, tested } = written();
    const rowOf = ({ day, keyId: key, operation, ...figures }: LedgerLine, isTest: boolean) => {
      const index = Number(key.slice(-4));
      const name = index === 7 ? `"'=1,""x"""` : nameOf(index);
      const { requests, tokens, refusedByRate, refusedByAllowance, failedByCaller, failedByService } =
        figures;
      const first = [requests, tokens, refusedByRate, refusedByAllowance];
      const last = [figures.sessions, figures.sessionCalls];
      const cells = isTest
        ? [...Array(FIGURES_OF_LIVE).fill(""), ...first, ...last]
        : [...first, failedByCaller, failedByService, ...last, ...Array(FIGURES_OF_TEST).fill("")];
      return [day, key, name, operation, ...cells].join(",");
    };
    const [head, ...rows] = csv.text.split("\r\n");
    expect(head).toMatch(/^\ufeffday,key_id,key_name,operation,requests,.*,test_session_calls$/);
    expect(rows).toEqual([
      ...live.map((line) => rowOf(line, false)),
      ...tested.map((line) => rowOf(line, true)),
      "",
    ]);
    expect(Math.max(...sizes, ...named)).toBeLessThanOrEqual(LINES_PER_STEP);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(live.length + tested.length);
  });

  it("streams the account's data in steps, as one document", async () => {
    const response = await browser.ask("GET", "/account/export");
    expect(response.headers["content-disposition"]).toBe('attachment; filename="opzoek-account.json"');
    const document = JSON.parse(response.text);
    expect(response.text).toBe(`${JSON.stringify(document, undefined, 2)}\n`);
    const { live, tested } = written();
    expect(document).toMatchObject({ account: { id }, usage: live, testUsage: tested, planRequests: [] });
    expect(document.usage).toHaveLength(live.length);
    expect(document.testUsage).toHaveLength(tested.length);
    expect(document.keys).toHaveLength(KEYS);
    expect(Math.max(...sizes)).toBe(LINES_PER_STEP);
  });

  it("sums a range of days in steps", async () => {
    const range = await browser.get<UsageRange>("/account/usage/range?from=2026-03-01&to=2026-03-31");
    expect(range.total.tokens).toBe(KEYS * DAYS.length * 2);
    expect(range.total.requests).toBe(((KEYS * (KEYS - 1)) / 2) * DAYS.length);
    expect(range.byKey).toHaveLength(KEYS);
    expect(range.byKey.find(({ keyId: key }) => key === keyId(5))?.name).toBe(nameOf(5));
    expect(range.test?.total.tokens).toBe(TEST_KEYS * 2);
    expect(Math.max(...sizes, ...named)).toBe(LINES_PER_STEP);
  });

  it("reports each line once, in a consistent state, while calls are counted", async () => {
    const { id: accountId, keys } = await inside.account("plenty", 20);
    const days = Array.from({ length: 60 }, (_, index) =>
      new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    ).filter((day) => day < "2026-03");
    await changeStored(
      world,
      `insert into ledger (account_id, key_id, day, operation, requests, tokens, refused_rate, refused_allowance,
                           sessions, session_calls, is_test)
       values ${keys.flatMap((key) => days.map((day) => `('${accountId}', '${key.id}', '${day}', 'lookup', 1, 1, 0, 0, 0, 0, 0)`)).join(", ")}`,
    );
    // Calls are counted on the last day after each step.
    afterStep = async () => {
      const requests = keys.map((key) => call(key.id, 1));
      expect(new Set(await outcomes(inside.state.metering.apply(requests)))).toEqual(new Set(["granted 1"]));
    };
    const ledger = watched(inside.state.ledger);
    const lines = await allLines(ledger, accountId, "2026-01-01", "2026-12-31");
    const ids = lines.map(({ day, keyId: key, operation }) => `${day} ${key} ${operation}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
    const before = lines.filter(({ day }) => day < "2026-03");
    expect(before).toHaveLength(keys.length * days.length);
    expect(before.every(({ requests }) => requests === 1)).toBe(true);
    // Each step before the last was read before another call of every key was counted.
    const last = lines.filter(({ day }) => day >= "2026-03");
    expect(last).toHaveLength(keys.length);
    expect(new Set(last.map(({ requests }) => requests))).toEqual(new Set([sizes.length - 1]));
  });

  it("answers with an error if the first step fails, and breaks off the download if a later one does", async () => {
    afterStep = () => Promise.reject(new Error("gone"));
    const refused = await browser.ask("GET", "/account/usage.csv?month=2026-03");
    expect(refused.status).toBe(500);
    expect(refused.headers).not.toHaveProperty("content-disposition");

    const address = await listen(inside.app, "127.0.0.1", 0);
    afterStep = async (step) => {
      if (step > 2) throw new Error("gone");
    };
    sizes.length = 0;
    const begun = await fetch(`${address}/account/usage.csv?month=2026-03`, {
      headers: { cookie: browser.cookie ?? "" },
    });
    expect(begun.status).toBe(200);
    await expect(begun.text()).rejects.toThrow();
    afterStep = () => Promise.resolve();
    expect((await browser.ask("GET", "/account/usage.csv?month=2026-02")).status).toBe(200);
  });

  it("reads nothing for a HEAD request", async () => {
    const head = await browser.ask("HEAD", "/account/usage.csv?month=2026-03");
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-disposition"]).toContain("opzoek-usage-2026-03.csv");
    expect(sizes).toHaveLength(1);
  });
});

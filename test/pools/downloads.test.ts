/** Downloads cost no tokens: an account may have two at once, and others get theirs meanwhile. */
import { get } from "node:http";
import { beforeAll, expect, it } from "vitest";
import type { SessionState } from "../../src/contract/accountResources.ts";
import { POOLS } from "../../src/contract/pools.ts";
import { listen } from "../../src/http/server.ts";
import { begun, completed } from "../jobs/lists.ts";
import { codeOf } from "../kit/answer.ts";
import { Browser } from "../kit/browser.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const { perAccount } = POOLS.downloads;

/** The list whose results are held back when read, and the function that releases them. */
let heldList: string | undefined;
let reads = 0;
const { promise: released, resolve: release } = Promise.withResolvers<void>();

let port: number;
let browser: Browser;
let own: { readonly key: string; readonly list: string };
let other: { readonly key: string; readonly list: string };

beforeAll(async () => {
  const { app, accounts, account } = await composeInProcess(
    await makeWorld({ environment: { SIGNUP: "open" } }),
    {
      listOptions: { pollEveryMs: 20 },
      replace: ({ state }) => ({
        state: {
          ...state,
          jobs: {
            ...state.jobs,
            async results(id, step) {
              if (id === heldList) {
                reads += 1;
                await released;
              }
              return state.jobs.results(id, step);
            },
          },
        },
      }),
    },
  );
  port = Number(new URL(await listen(app, "127.0.0.1", 0)).port);
  browser = new Browser(app);
  await browser.enter("downloads@fabel.example");
  const id = (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";
  await accounts.setTier(id, "plenty");
  const withList = async (key: string) => {
    const list = await begun({ port }, key, PLAIN);
    await completed({ port }, key, list.id);
    return { key, list: list.id };
  };
  own = await withList((await accounts.createKey(id, "own")).key);
  other = await withList((await account("plenty")).key);
});

const results = ({ key, list }: typeof own) =>
  ask({ port }, { path: `/v1/jobs/${list}/results?format=csv`, key });

it("a download beyond an account's share is refused, of any kind, and another account has its own share", async () => {
  heldList = own.list;
  const waiting = Array.from({ length: perAccount }, () => results(own));
  await until("all places of the account are taken", () => reads === perAccount);
  const refused = [
    await results(own),
    await browser.ask("GET", "/account/usage.csv"),
    await browser.ask("GET", "/account/export"),
  ];
  for (const answer of refused) {
    expect([answer.status, codeOf(answer), answer.headers["retry-after"]]).toEqual([
      429,
      "RATE_LIMIT_EXCEEDED",
      "1",
    ]);
  }
  expect((await results(other)).status).toBe(200);
  heldList = undefined;
  release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  for (const path of ["/account/usage.csv", "/account/export"]) {
    expect((await browser.ask("GET", path)).status).toBe(200);
  }
});

it("a caller that hangs up releases its place", async () => {
  const hangUp = () =>
    new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${own.key}` };
      const path = `/v1/jobs/${own.list}/results`;
      const request = get({ port, host: "127.0.0.1", path, headers, agent: false }, () => request.destroy());
      request.on("error", () => {}).on("close", resolve);
    });
  for (let nth = 0; nth < 3 * perAccount; nth++) await hangUp();
  await until("a place is free again", async () => (await results(own)).status === 200);
});

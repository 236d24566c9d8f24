/** Repeated sign-ins end sessions of the same account only. */
import { expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { Browser, PASSWORD } from "../kit/browser.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

it("an account has its share of sessions, and another account keeps its own", async () => {
  const { app, setClock } = await composeInProcess(
    await makeWorld({ companies: [], environment: { SIGNUP: "open" } }),
  );
  const other = new Browser(app);
  await other.enter("other@fabel.example");
  const first = new Browser(app);
  await first.enter("many@fabel.example");
  let last = first;
  for (let nth = 0; nth < POOLS.sessions.perAccount; nth++) {
    setClock(NOON + (nth + 1) * 1_000);
    last = new Browser(app);
    await last.post("/account/sign-in", { email: "many@fabel.example", password: PASSWORD });
  }
  const { sessions } = await last.get<{ readonly sessions: readonly unknown[] }>("/account/sessions");
  expect(sessions).toHaveLength(POOLS.sessions.perAccount);
  expect((await first.ask("GET", "/account/sessions")).status).toBe(401);
  expect((await other.ask("GET", "/account/sessions")).status).toBe(200);
});

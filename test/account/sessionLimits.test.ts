/** The rate limits of the account page apply before the state is read. */
import { expect, it } from "vitest";
import { newToken } from "../../src/accounts/secrets.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { SESSION_LIMITS } from "../../src/http/account/visitLimits.ts";
import { Browser } from "../kit/browser.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

const KEYLESS_PER_MINUTE = 100;
const FORGED = 400;

let looks = 0;
const counting = (state: StateStore): StateStore => ({
  ...state,
  people: {
    ...state.people,
    session(tokenHash) {
      looks += 1;
      return state.people.session(tokenHash);
    },
  },
});
const environment = { SIGNUP: "open", KEYLESS_PER_MINUTE: String(KEYLESS_PER_MINUTE) };
const service = await composeInProcess(await makeWorld({ environment }), {
  replace: ({ state }) => ({ state: counting(state) }),
});

/** Counts the responses by status, and the reads of the state. */
async function often(
  times: number,
  ask: () => Promise<{ readonly status: number }>,
): Promise<{ served: number; looked: number }> {
  const before = looks;
  const answers = await Promise.all(Array.from({ length: times }, ask));
  return { served: answers.filter(({ status }) => status !== 429).length, looked: looks - before };
}

it("requests beyond a session's limit are refused without looking up the session", async () => {
  const browser = new Browser(service.app);
  await browser.enter("busy@fabel.example");
  await browser.get("/account/session");
  const one = await often(200, () => browser.ask("GET", "/account/session"));
  expect(one).toEqual({ served: SESSION_LIMITS.requests - 1, looked: SESSION_LIMITS.requests - 1 });
});

it("made-up cookies are looked up no more often than the address may call without a key", async () => {
  const stranger = new Browser(service.app);
  service.setClock(NOON + 60_000);
  const forged = await often(FORGED, () => {
    stranger.cookie = `opzoek=${newToken()}`;
    return stranger.ask("GET", "/account/session");
  });
  expect(forged.looked).toBe(forged.served);
  expect(forged.looked).toBe(KEYLESS_PER_MINUTE);
});

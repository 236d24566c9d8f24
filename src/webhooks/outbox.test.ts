/** Places of addresses, and retries. The order of events is checked, and no time is measured. */

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { POOLS } from "../contract/pools.ts";
import type { ClaimedMessage } from "./claimed.ts";
import { MessageOutbox } from "./outbox.ts";
import type { RefusedDelivery } from "./post.ts";

const POLL_EVERY_MS = 1;

/** An address that starts with `dead` answers when the test ends. */
const messageTo = (accountId: string, host: string, addressFailures = 0): ClaimedMessage => ({
  id: `msg_${accountId}_${host}`,
  accountId,
  tierName: accountId.startsWith("acc_free") ? "free" : "paying",
  url: `https://${host}.example/`,
  payload: "{}",
  claim: 1,
  failures: 0,
  addressFailures,
  seeds: ["seed"],
});

/** Delivers messages from memory. @returns the accepted ones, and the addresses that hold a place */
function delivering(waiting: ClaimedMessage[]) {
  const dead = Promise.withResolvers<void>();
  const seen = { accepted: [] as string[], held: [] as string[] };
  const outbox = new MessageOutbox({
    store: {
      claimMessage: async (_leaseMs, { accounts = [], addresses = [], failing = [], tiers = [] } = {}) => {
        const at = waiting.findIndex(
          ({ accountId, url, addressFailures, tierName }) =>
            !accounts.includes(accountId) &&
            !tiers.includes(tierName) &&
            !addresses.some((one) => one.accountId === accountId && one.url === url) &&
            !(addressFailures > 0 && (failing === "all" || failing.includes(accountId))),
        );
        return at < 0 ? undefined : waiting.splice(at, 1)[0];
      },
      endMessage: async (id) => void seen.accepted.push(id),
      deferMessage: async () => true,
    },
    post: {
      deliver: async (url) => {
        if (!url.startsWith("https://dead")) return { isAccepted: true };
        seen.held.push(url);
        await dead.promise;
        return { isAccepted: false, reason: "it cannot be reached" };
      },
      close: async () => dead.resolve(),
    },
    freeTiers: ["free"],
    serviceSecret: async () => "secret",
    onLost: () => {},
    onError: (error) => {
      throw error;
    },
    pollEveryMs: POLL_EVERY_MS,
  });
  onTestFinished(() => outbox.close());
  outbox.nudge();
  return seen;
}

it("delivers one message to an address at a time, so that a dead one delays neither other accounts nor other addresses", async () => {
  const dead = Array.from({ length: 8 }, () => messageTo("acc_1", "dead"));
  const alive = [messageTo("acc_1", "alive"), messageTo("acc_2", "alive"), messageTo("acc_3", "dead2")];
  const seen = delivering([...dead, ...alive]);
  await expect.poll(() => seen.accepted).toEqual(["msg_acc_1_alive", "msg_acc_2_alive"]);
  await expect.poll(() => seen.held).toEqual(["https://dead.example/", "https://dead2.example/"]);
});

it("keeps one place of an account from addresses that failed last", async () => {
  const account = "acc_1";
  const dead = Array.from({ length: 20 }, (_, nth) => messageTo(account, `dead${nth}`, 1));
  const waiting = [...dead, messageTo(account, "alive")];
  const seen = delivering(waiting);
  await expect.poll(() => seen.accepted).toEqual([`msg_${account}_alive`]);
  expect(seen.held).toHaveLength(POOLS.lookups.perAccount - 1);
  // The kept place serves further messages.
  waiting.push(messageTo(account, "alive"));
  await expect.poll(() => seen.accepted).toHaveLength(2);
});

it("lets no account have more than its places, however many of its addresses are dead", async () => {
  const many = Array.from({ length: 20 }, (_, nth) => messageTo("acc_1", `dead${nth}`));
  const seen = delivering([...many, messageTo("acc_2", "alive")]);
  await expect.poll(() => seen.accepted).toEqual(["msg_acc_2_alive"]);
  expect(seen.held).toHaveLength(POOLS.lookups.perAccount);
});

describe("a refused message", () => {
  /** The retry of a message that is refused in this way, without the spread of pauses. */
  async function afterRefusal(
    refusal: Partial<RefusedDelivery>,
    { failures, addressFailures }: Readonly<Record<"failures" | "addressFailures", number>>,
  ) {
    const message = { ...messageTo("acc_1", "busy"), failures, addressFailures };
    const deferred = Promise.withResolvers<readonly unknown[]>();
    const waiting = [message];
    const outbox = new MessageOutbox({
      store: {
        claimMessage: async () => waiting.pop(),
        endMessage: async () => {},
        deferMessage: async (_id, _claim, afterMs, _reason, change) => {
          deferred.resolve([afterMs, change]);
          return true;
        },
      },
      post: {
        deliver: async () => ({ isAccepted: false, reason: "it answered", ...refusal }),
        close: async () => {},
      },
      freeTiers: [],
      serviceSecret: async () => "secret",
      onLost: () => {},
      onError: deferred.reject,
      pollEveryMs: POLL_EVERY_MS,
    });
    onTestFinished(() => outbox.close());
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    onTestFinished(() => void vi.restoreAllMocks());
    outbox.nudge();
    return deferred.promise;
  }

  it.each([
    ["is retried by its own failures", {}, { failures: 2, addressFailures: 0 }, [120_000, undefined]],
    [
      "pauses its busy address by the failures of that",
      { answer: "busy" },
      { failures: 3, addressFailures: 1 },
      [600_000, { pauseMs: 30_000 }],
    ],
    [
      "waits no shorter than its address",
      { answer: "busy" },
      { failures: 0, addressFailures: 2 },
      [120_000, { pauseMs: 120_000 }],
    ],
    [
      "waits as its receiver asks",
      { answer: "busy", askAgainAfterMs: 60_000 },
      { failures: 5, addressFailures: 5 },
      [60_000, { pauseMs: 60_000 }],
    ],
    [
      "waits six hours at most",
      { answer: "busy", askAgainAfterMs: 86_400_000 },
      { failures: 0, addressFailures: 0 },
      [21_600_000, { pauseMs: 21_600_000 }],
    ],
    [
      "waits as long as without a wish at least",
      { answer: "busy", askAgainAfterMs: 1_000 },
      { failures: 9, addressFailures: 9 },
      [5_000, { pauseMs: 5_000 }],
    ],
    [
      "ends its address when that is gone",
      { answer: "gone" },
      { failures: 0, addressFailures: 0 },
      [0, "gone"],
    ],
  ] as const)("%s", async (_what, refusal, counts, expected) => {
    expect(await afterRefusal(refusal, counts)).toEqual(expected);
  });
});

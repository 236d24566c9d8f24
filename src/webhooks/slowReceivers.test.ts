/** Receivers that do not answer. The order of events is checked, and no time is measured. */

import { expect, it, onTestFinished } from "vitest";
import { POOLS } from "../contract/pools.ts";
import type { ClaimedMessage } from "./claimed.ts";
import { MessageOutbox } from "./outbox.ts";

/** Far longer than anything here takes. */
const PATIENTLY = { interval: 1, timeout: 120_000 };

const messageOf = (accountId: string, addressFailures = 0): ClaimedMessage => ({
  id: `msg_${accountId}`,
  accountId,
  tierName: accountId.startsWith("acc_free") ? "free" : "paying",
  url: `https://example.com/${accountId}`,
  payload: "{}",
  claim: 1,
  failures: 0,
  addressFailures,
  seeds: ["seed"],
});

/** An outbox with messages in memory. The receivers of these accounts answer when `release` is called. */
function holding(waiting: ClaimedMessage[], slowAccounts: readonly string[]) {
  const gate = Promise.withResolvers<void>();
  const held: string[] = [];
  const taken: string[] = [];
  const outbox = new MessageOutbox({
    store: {
      claimMessage: async (_leaseMs, { addresses = [], tiers = [], failing = [] } = {}) => {
        const [message] = waiting
          .filter(
            ({ accountId, addressFailures, tierName }) =>
              !addresses.some((one) => one.accountId === accountId) &&
              !tiers.includes(tierName) &&
              !(failing === "all" && addressFailures > 0),
          )
          .sort((one, other) => one.addressFailures - other.addressFailures);
        if (message !== undefined) waiting.splice(waiting.indexOf(message), 1);
        return message;
      },
      endMessage: async (id) => void taken.push(id),
      deferMessage: async () => true,
    },
    post: {
      deliver: async (url) => {
        const accountId = url.split("/").at(-1) ?? "";
        if (slowAccounts.includes(accountId)) {
          held.push(accountId);
          await gate.promise;
        }
        return { isAccepted: true };
      },
      close: async () => gate.resolve(),
    },
    freeTiers: ["free"],
    serviceSecret: async () => "secret",
    onLost: () => {},
    onError: (error) => {
      throw error;
    },
    pollEveryMs: 1,
  });
  onTestFinished(() => outbox.close());
  outbox.nudge();
  return { held, taken, release: () => gate.resolve() };
}

it.each([
  ["to addresses that failed last", "acc_dead", 1, POOLS.lookups.slots / 2],
  ["of free tiers", "acc_free", 0, POOLS.lookups.freeTiers],
])(
  "keeps half of the places from messages %s, and delivers those that wait afterwards",
  async (_which, name, failures, share) => {
    const slow = Array.from({ length: share + 2 }, (_, nth) => `${name}_${nth}`);
    const waiting = slow.map((accountId) => messageOf(accountId, failures));
    const { held, taken, release } = holding(waiting, slow);
    await expect.poll(() => held.length, PATIENTLY).toBe(share);
    waiting.push(messageOf("acc_new"));
    await expect.poll(() => taken, PATIENTLY).toEqual(["msg_acc_new"]);
    expect([held.length, waiting.length]).toEqual([share, 2]);
    release();
    await expect.poll(() => taken.length, PATIENTLY).toBe(slow.length + 1);
  },
);

import { expect, it, onTestFinished } from "vitest";
import type { ClaimedMessage } from "../store.ts";
import { MessageOutbox } from "./outbox.ts";

const LOOK_EVERY_MS = 1;

it("delivers one message of an account at a time, so that unresponsive receivers do not delay other accounts", async () => {
  const waiting = [...Array<string>(8).fill("acc_dead"), "acc_1", "acc_2", "acc_3"].map(
    (accountId, nth): ClaimedMessage => ({
      id: `msg_${nth}`,
      accountId,
      tierName: "paying",
      url: `https://example.com/${accountId}`,
      payload: "{}",
      claim: 1,
      failures: 0,
      seeds: ["seed"],
    }),
  );
  const dead = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const seen = { ended: [] as string[], deadAtOnce: 0, maxDeadAtOnce: 0 };
  const outbox = new MessageOutbox({
    store: {
      claimMessage: async (_leaseMs, { accounts = [] } = {}) => {
        const at = waiting.findIndex(({ accountId }) => !accounts.includes(accountId));
        return at < 0 ? undefined : waiting.splice(at, 1)[0];
      },
      endMessage: async (id) => {
        seen.ended.push(id);
        if (seen.ended.length === 3) all.resolve();
      },
      deferMessage: async () => true,
    },
    post: {
      deliver: async (url) => {
        if (!url.endsWith("dead")) return { isAccepted: true };
        seen.maxDeadAtOnce = Math.max(seen.maxDeadAtOnce, ++seen.deadAtOnce);
        await dead.promise;
        seen.deadAtOnce -= 1;
        return { isAccepted: true };
      },
      close: async () => dead.resolve(),
    },
    freeTiers: [],
    serviceSecret: async () => "secret",
    onLost: () => {},
    onError: (error) => all.reject(error),
    lookEveryMs: LOOK_EVERY_MS,
  });
  onTestFinished(() => outbox.close());
  outbox.start();
  await all.promise;
  expect(seen.ended).toEqual(["msg_8", "msg_9", "msg_10"]);
  expect(seen.maxDeadAtOnce).toBe(1);
});

/** Receivers that are slow are real servers of this machine: in what order things happen is seen there, and no time is measured. */
import type { RequestListener } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { serving } from "../../../test/kit/viesServer.ts";
import { POOLS } from "../../contract/pools.ts";
import type { ClaimedMessage } from "../store.ts";
import { MessageOutbox, type MessageOutboxParts } from "./outbox.ts";
import { openMessagePost } from "./post.ts";

/** Far longer than anything here takes. */
const PATIENTLY = { interval: 1, timeout: 120_000 };
const DEAD = ["acc_a", "acc_b", "acc_c", "acc_d"];

const messageOf = (accountId: string, url: string, failures = 0): ClaimedMessage => ({
  id: `msg_${accountId}`,
  accountId,
  tierName: accountId.startsWith("acc_free") ? "free" : "paying",
  url: `${url}/${accountId}`,
  payload: "{}",
  claim: 1,
  failures,
  seeds: ["seed"],
});

/** An outbox over messages in memory, and what was taken of which account, in order. */
function over(waiting: ClaimedMessage[], more: Partial<MessageOutboxParts> = {}) {
  const taken: string[] = [];
  const outbox = new MessageOutbox({
    store: {
      claimMessage: async (_leaseMs, passedOver = [], passedOverTiers = [], untriedOf) => {
        const ready = waiting
          .filter(
            ({ accountId, failures, tierName }) =>
              !passedOver.includes(accountId) &&
              !passedOverTiers.includes(tierName) &&
              (untriedOf === undefined ||
                (failures === 0 && (untriedOf === "all" || untriedOf.includes(accountId)))),
          )
          .sort((one, other) => one.failures - other.failures);
        const [message] = ready;
        if (message !== undefined) waiting.splice(waiting.indexOf(message), 1);
        return message;
      },
      endMessage: async (id) => void taken.push(id),
      deferMessage: async () => true,
    },
    post: openMessagePost(["127.0.0.1"]),
    freeTiers: ["free"],
    serviceSecret: async () => "secret",
    onLost: () => {},
    onError: (error) => {
      throw error;
    },
    lookEveryMs: 1,
    ...more,
  });
  onTestFinished(() => outbox.close());
  return { outbox, taken };
}

/** A server that answers living accounts at once, and dead ones when their first message was refused only when it is let. */
async function receivers() {
  const seen = { open: 0, mostOpen: 0 };
  const [held, living, refused] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    new Set<string>(),
  ];
  const allRefused = Promise.withResolvers<void>();
  const listener: RequestListener = async (request, response) => {
    const accountId = request.url?.split("/").at(-1) ?? "";
    if (!DEAD.includes(accountId)) {
      response.writeHead(204).end();
      living.resolve();
    } else if (refused.has(accountId)) {
      seen.mostOpen = Math.max(seen.mostOpen, ++seen.open);
      await held.promise;
      response.writeHead(204).end();
    } else {
      refused.add(accountId);
      response.writeHead(503).end();
      if (refused.size === DEAD.length) allRefused.resolve();
    }
  };
  const { url } = await serving(listener);
  onTestFinished(() => held.resolve());
  return { url, seen, living: living.promise, refused, allRefused: allRefused.promise };
}

it("delivers a message of an account that nothing is known of while four hold what was not taken before", async () => {
  const { url, seen, living, refused } = await receivers();
  for (const accountId of DEAD) refused.add(accountId);
  const waiting = DEAD.map((accountId) => messageOf(accountId, url, 1));
  const { outbox } = over(waiting);
  outbox.start();
  await expect.poll(() => seen.open, PATIENTLY).toBe(2);
  waiting.push(messageOf("acc_living", url));
  await living;
  expect([seen.mostOpen, waiting.length]).toEqual([2, 2]);
});

it("delivers it too while there are new messages of accounts whose last one was not taken", async () => {
  const { url, seen, living, allRefused } = await receivers();
  const waiting = DEAD.map((accountId) => messageOf(accountId, url));
  const { outbox, taken } = over(waiting);
  outbox.start();
  await allRefused;
  waiting.push(...DEAD.map((accountId) => messageOf(accountId, url)));
  await expect.poll(() => seen.open, PATIENTLY).toBe(2);
  waiting.push(messageOf("acc_living", url));
  await living;
  await expect.poll(() => taken, PATIENTLY).toEqual(["msg_acc_living"]);
  expect([seen.mostOpen, waiting.length]).toEqual([2, 2]);
});

it("takes an account whose receiver is slow for one that may hold others up, until it is fast again", async () => {
  const clock = { nowMs: 0 };
  const slow = new Set(DEAD);
  const gate = Promise.withResolvers<void>();
  const under: string[] = [];
  const waiting = DEAD.map((accountId) => messageOf(accountId, "https://example.com"));
  const { outbox, taken } = over(waiting, {
    now: () => clock.nowMs,
    post: {
      deliver: async (url) => {
        const accountId = url.split("/").at(-1) ?? "";
        if (taken.length >= DEAD.length && DEAD.includes(accountId)) {
          under.push(accountId);
          await gate.promise;
        } else if (slow.has(accountId)) clock.nowMs += 2_001;
        return { isTaken: true };
      },
      close: async () => gate.resolve(),
    },
  });
  outbox.start();
  await expect.poll(() => taken.length, PATIENTLY).toBe(DEAD.length);
  waiting.push(...DEAD.map((accountId) => messageOf(accountId, "https://example.com")));
  await expect.poll(() => under.length, PATIENTLY).toBe(2);
  waiting.push(messageOf("acc_living", "https://example.com"));
  await expect.poll(() => taken, PATIENTLY).toContain("msg_acc_living");
  expect(under).toHaveLength(2);
  // What was taken soon is not doubted any more: the two that waited follow, and then any number.
  gate.resolve();
  await expect.poll(() => taken.length, PATIENTLY).toBe(2 * DEAD.length + 1);
});

it("keeps a place from accounts that nothing is known of for one whose last message was taken, and lets the others follow", async () => {
  const gate = Promise.withResolvers<void>();
  const under: string[] = [];
  const waiting = [messageOf("acc_good", "https://example.com")];
  const { outbox, taken } = over(waiting, {
    post: {
      deliver: async (url) => {
        const accountId = url.split("/").at(-1) ?? "";
        under.push(accountId);
        if (DEAD.includes(accountId)) await gate.promise;
        return { isTaken: true };
      },
      close: async () => gate.resolve(),
    },
  });
  outbox.start();
  await expect.poll(() => taken, PATIENTLY).toEqual(["msg_acc_good"]);
  waiting.push(...DEAD.map((accountId) => messageOf(accountId, "https://example.com")));
  await expect.poll(() => under.length, PATIENTLY).toBeGreaterThan(3);
  waiting.push(messageOf("acc_new", "https://example.com"), messageOf("acc_good", "https://example.com"));
  await expect.poll(() => taken, PATIENTLY).toEqual(["msg_acc_good", "msg_acc_good"]);
  expect([under.length, waiting.length]).toEqual([5, 2]);
  gate.resolve();
  await expect.poll(() => taken.length, PATIENTLY).toBe(DEAD.length + 3);
});

it("keeps a place from free accounts, also from those whose last message was taken soon", async () => {
  const gate = Promise.withResolvers<void>();
  const under: string[] = [];
  const free = Array.from({ length: 5 }, (_, nth) => `acc_free_${nth}`);
  const waiting = free.map((accountId) => messageOf(accountId, "https://example.com"));
  const { outbox, taken } = over(waiting, {
    post: {
      deliver: async (url) => {
        const accountId = url.split("/").at(-1) ?? "";
        under.push(accountId);
        if (taken.length >= free.length && free.includes(accountId)) await gate.promise;
        return { isTaken: true };
      },
      close: async () => gate.resolve(),
    },
  });
  outbox.start();
  await expect.poll(() => taken.length, PATIENTLY).toBe(free.length);
  waiting.push(...free.map((accountId) => messageOf(accountId, "https://example.com")));
  await expect.poll(() => under.length, PATIENTLY).toBe(free.length + POOLS.lookups.freeTiers);
  waiting.push(messageOf("acc_new", "https://example.com"));
  await expect.poll(() => taken, PATIENTLY).toContain("msg_acc_new");
  expect(waiting).toHaveLength(free.length - POOLS.lookups.freeTiers);
  gate.resolve();
  await expect.poll(() => taken.length, PATIENTLY).toBe(2 * free.length + 1);
});

/** The account page's calls for one account leave places for other accounts. */
import { expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { Tickets } from "../../src/metering/tickets.ts";

it("an account has its share of them, all accounts have the rest, and each comes back", async () => {
  const { slots, perAccount, freeTiers } = POOLS.pageCalls;
  const tickets = new Tickets();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const call = (key: string, isFree = false) => tickets.with(key, () => gate, isFree);
  const refused = { code: "RATE_LIMIT_EXCEEDED", retryAfterSeconds: 1 };
  const inProgress = Array.from({ length: perAccount }, () => call("many"));
  await expect(call("many")).rejects.toMatchObject(refused);
  for (let nth = 0; nth < freeTiers; nth++) inProgress.push(call(`free ${nth}`, true));
  await expect(call("one more", true)).rejects.toMatchObject(refused);
  for (let nth = perAccount + freeTiers; nth < slots; nth++) inProgress.push(call(`another ${nth}`));
  await expect(call("one more")).rejects.toMatchObject(refused);
  open();
  await Promise.all(inProgress);
  await Promise.all(Array.from({ length: perAccount }, () => call("many")));
});

/** Match calls of one account leave places for other accounts. */
import { expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { withMatchPlace } from "../../src/http/matching.ts";

it("an account has its share of them, all accounts have the rest, and each place comes back", async () => {
  const { slots, perAccount, freeTiers } = POOLS.matching;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const call = (account: string, isFree = false) => withMatchPlace({ account, isFree }, () => gate);
  const refused = { code: "RATE_LIMIT_EXCEEDED", retryAfterSeconds: 1 };
  const inProgress = Array.from({ length: perAccount }, () => call("many"));
  await expect(call("many")).rejects.toMatchObject(refused);
  for (let nth = 0; nth < freeTiers; nth++) inProgress.push(call(`free ${nth}`, true));
  await expect(call("one more", true)).rejects.toMatchObject(refused);
  for (let nth = perAccount + freeTiers; nth < slots; nth++) inProgress.push(call(`another ${nth}`));
  await expect(call("one more")).rejects.toMatchObject(refused);
  open();
  await Promise.all(inProgress);
  const failing = () => withMatchPlace({ account: "many" }, () => Promise.reject(new Error("failed")));
  for (let nth = 0; nth < 2; nth++) await expect(failing()).rejects.toThrow("failed");
  await call("many");
});

/** A suppressed company is in no response of reconciliation, not even in a stored one. */
import { expect, it } from "vitest";
import { type Answer, inject } from "../kit/answer.ts";
import { BAKERY, FERRY } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import { makeWorld } from "../kit/world.ts";
import { PATH, post } from "./reconciling.ts";

it("a suppressed company is neither found, extended, previewed nor replayed", async () => {
  const world = await makeWorld();
  const before = await composeInProcess(world);
  const { key } = await before.account("plenty");
  const calls = ({ app }: typeof before, isIdempotent: boolean): Promise<Answer[]> => {
    const headers = (name: string): Record<string, string> =>
      isIdempotent ? { "idempotency-key": name } : {};
    return Promise.all([
      post({ app }, key, { queries: { q: { query: "Bakkerij De Fabelkorst" } } }, headers("queries")),
      post(
        { app },
        key,
        { extend: { ids: [BAKERY, FERRY], properties: [{ id: "name" }] } },
        headers("extend"),
      ),
      inject(app, { path: `${PATH}/preview?id=${BAKERY}`, key, headers: headers("preview") }),
    ]);
  };
  for (const answer of await calls(before, true)) {
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/Fabelkorst/)]);
  }

  expect((await opzoek(["forget", BAKERY], world.environment)).code).toBe(0);
  await before.close();
  const after = await composeInProcess(world);
  for (const isIdempotent of [false, true]) {
    for (const answer of await calls(after, isIdempotent)) expect(answer.text).not.toContain("Fabelkorst");
  }
});

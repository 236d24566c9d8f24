/** Lists of rows of free accounts leave a place for others. */
import { expect, it } from "vitest";
import { send } from "../jobs/lists.ts";
import { codeOf, messageOf, numberIn } from "../kit/answer.ts";
import { serveHere } from "../kit/serveHere.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";
import { slowUpload } from "./slowUploads.ts";

it("lists of rows of free accounts, sent slowly, leave a place for a customer, who may have one", async () => {
  const world = await makeWorld({ tiers: { trial: { ...PLENTY, isFree: true } } });
  const service = await serveHere(world);
  const [{ key }, { key: other }, { key: customer }] = [
    await world.account("trial"),
    await world.account("trial"),
    await world.account("plenty"),
  ];
  const refusedOf = (sender: string) =>
    until("another list of rows is refused", async () => {
      const answer = await send(service, sender, ["Veer"], "kind=match");
      return answer.status === 503 && answer;
    });
  const upload = slowUpload(service, key, "kind=match");
  const fromFree = await refusedOf(other);
  expect([codeOf(fromFree), numberIn(fromFree, "retry-after")]).toEqual(["SERVICE_UNAVAILABLE", 5]);
  expect(messageOf(fromFree)).toContain("from free plans");
  expect((await send(service, customer, ["Veer"], "kind=match")).status).toBe(202);
  const large = slowUpload(service, customer, "kind=match");
  expect(messageOf(await refusedOf(customer))).toContain("from this account");
  expect((await send(service, customer, ["51000000"])).status).toBe(202);
  expect([upload.answer(), large.answer()]).toEqual([undefined, undefined]);
});

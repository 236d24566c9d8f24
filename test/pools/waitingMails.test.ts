/** While the mail server is down, mails to one address leave room for mails to others. */
import { expect, it } from "vitest";
import { Mailer } from "../../src/accounts/mail/mailer.ts";
import { POOLS } from "../../src/contract/pools.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

it("an e-mail address has its share of queued mails, and another address gets its mail", async () => {
  const { state } = await composeInProcess(await makeWorld({ companies: [] }));
  let [queued, lost] = [0, 0];
  const orders = new Mailer({
    store: state.people,
    nudge: () => {
      queued += 1;
    },
    onLost: () => {
      lost += 1;
    },
  });
  const { perAccount } = POOLS.waitingMails;
  for (let nth = 0; nth < perAccount + 3; nth++) await orders.send({ kind: "reset", language: "en" }, "one");
  expect([queued, lost]).toEqual([perAccount, 3]);
  await orders.send({ kind: "reset", language: "en" }, "another");
  expect([queued, lost]).toEqual([perAccount + 1, 3]);
});

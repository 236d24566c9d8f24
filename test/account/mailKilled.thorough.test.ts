/** A service that is killed while the mail server is slow: the next process sends the pending mails. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../kit/browser.ts";
import { ask } from "../kit/client.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { startMailServer, tokenIn } from "../kit/mailServer.ts";
import { startService } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

/** Longer than a process's lease on a mail. */
const AFTER_LEASE_MS = 130_000;
const NEW_PASSWORD = "een heel ander woord";

it("kill -9 loses no promised mail, and invalidates the links that were being sent", async () => {
  const server = await startMailServer();
  const world = await makeWorld({ environment: { SIGNUP: "open", SMTP_URL: server.url, ...BEHIND_PROXY } });
  const [comes, forgot, leaves] = ["comes@fabel.example", "forgot@fabel.example", "later@fabel.example"];
  await world.withAccounts((accounts) => accounts.create(forgot, "free"));
  const killed = await startService(world);
  server.fail("silence");
  const post = (path: string, body: unknown) =>
    ask(killed, {
      method: "POST",
      path,
      body,
      headers: { host: new URL(PUBLIC).host, origin: PUBLIC, "x-forwarded-proto": "https" },
    });
  expect((await post("/account/sign-up", { email: comes, password: PASSWORD, language: "nl" })).status).toBe(
    202,
  );
  expect((await post("/account/password/reset-request", { email: forgot })).status).toBe(202);
  await until("both mails are being sent", () => server.refused.length === 2);
  expect((await post("/account/sign-up", { email: leaves, password: PASSWORD })).status).toBe(202);
  await killed.end("SIGKILL");
  await expectSoundState(world);
  const inProgress = server.refused.map((mail) => ({ mail, token: tokenIn(mail) }));
  for (const name of readdirSync(world.dataDir).filter((file) => file.startsWith("state."))) {
    const bytes = readFileSync(join(world.dataDir, name), "latin1");
    for (const { token } of inProgress) expect(bytes).not.toContain(token);
  }

  server.fail(undefined);
  const next = await composeInProcess(world, { nowMs: Date.now() + AFTER_LEASE_MS });
  const mails = await Promise.all([comes, forgot, leaves].map((email) => server.to(email)));
  const [confirm, reset] = mails.map(([mail]) => mail && tokenIn(mail));
  expect(mails[0]?.[0]?.subject).toBe("Opzoek: Bevestig uw adres");
  const browser = () => new Browser(next.app, { origin: PUBLIC });
  const confirming = (token: string | undefined) =>
    browser().ask("POST", "/account/confirm", { token, password: PASSWORD });
  const resetting = (token: string | undefined) =>
    browser().ask("POST", "/account/password/reset", { token, password: NEW_PASSWORD });
  for (const { mail, token } of inProgress) {
    expectError(await (mail.to.includes(comes) ? confirming(token) : resetting(token)), "FORBIDDEN");
  }
  expect((await confirming(confirm)).status).toBe(200);
  expect((await resetting(reset)).status).toBe(204);
  await browser().post("/account/sign-in", { email: forgot, password: NEW_PASSWORD });
  expect(server.mails.filter(({ to }) => to.includes(comes) || to.includes(leaves))).toHaveLength(2);
});

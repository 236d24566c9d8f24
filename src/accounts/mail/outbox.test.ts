import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ClaimedMail } from "./mails.ts";
import { Outbox } from "./outbox.ts";
import { smtpPost } from "./smtp.ts";

const MAIL: ClaimedMail = {
  outcome: "send",
  id: "mail_1",
  claim: 1,
  failures: 0,
  kind: "changed",
  to: "someone@fabel.example",
  language: "en",
};

let port: number;
const server = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  logger: false,
  onAuth: ({ password }, _session, done) =>
    password === "new" ? done(null, { user: "opzoek" }) : done(new Error("wrong")),
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  port = typeof address === "object" ? (address?.port ?? 0) : 0;
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

/** Sends the mail once. @returns what became of it */
async function sentWith(password: string): Promise<string[]> {
  const outcome = Promise.withResolvers<void>();
  const events: string[] = [];
  const waiting = [MAIL];
  const outbox = new Outbox({
    store: {
      claimMail: async () => waiting.pop(),
      endMail: async () => {
        events.push("ended");
        outcome.resolve();
      },
      deferMail: async () => {
        events.push("deferred");
        outcome.resolve();
      },
    },
    post: smtpPost(`smtp://opzoek:${password}@127.0.0.1:${port}`, "opzoek@fabel.example"),
    publicUrl: "https://fabel.example",
    onLost: () => events.push("lost"),
    onDelayed: () => {},
    onError: outcome.reject,
  });
  outbox.nudge();
  await outcome.promise;
  await outbox.close();
  return events;
}

it("a mail waits while the mail server refuses the password, and is sent with the right one", async () => {
  expect(await sentWith("old")).toEqual(["deferred"]);
  expect(await sentWith("new")).toEqual(["ended"]);
});

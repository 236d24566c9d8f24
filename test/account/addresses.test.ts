/** E-mail addresses: each mailbox has one spelling. A real mail server shows where mails arrive. */
import { beforeAll, describe, expect, it } from "vitest";
import { smtpPost } from "../../src/accounts/mail/smtp.ts";
import { Passwords } from "../../src/accounts/passwords.ts";
import type { SessionState } from "../../src/contract/accountResources.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../kit/browser.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { type MailServer, startMailServer, tokenIn } from "../kit/mailServer.ts";
import { makeWorld } from "../kit/world.ts";

let server: MailServer;
let service: InProcess;
let count = 0;
const newEmail = () => `mail-${++count}@fabel.example`;
const browser = () => new Browser(service.app, { origin: PUBLIC });

beforeAll(async () => {
  server = await startMailServer();
  const environment = { SIGNUP: "open", SMTP_URL: server.url, ...BEHIND_PROXY };
  service = await composeInProcess(await makeWorld({ environment }));
});

/** Addresses that mail programs correct into `v@fabel.example` or read as that address. */
const HOSTILE_SPELLINGS = [
  "v@fabel.example>",
  "<v@fabel.example",
  "<v@fabel.example>",
  "<<v@fabel.example>>",
  ">v@fabel.example",
  "v@fabel.example<",
  "v@fabel.example><",
  "v<@fabel.example",
  '"v"@fabel.example',
  "\\v@fabel.example",
  "v@fabel.example.",
  "v@\uff46abel.example",
  "v@fabel\u3002example",
  "v@fabel\uff0eexample",
  "v@fab\ufe0fel.example",
  "v@fab\u034fel.example",
  "v@\u24d5abel.example",
  "v@fabel%2eexample",
  "v(x)@fabel.example",
  "x:v@fabel.example;",
  "V <v@fabel.example>",
  "v@fabel.example,",
  "a,v@fabel.example",
];

describe("an address", () => {
  it("has one accepted spelling per mailbox; spellings that a mail program would correct are refused and get no mail", async () => {
    const before = server.mails.length;
    for (const email of HOSTILE_SPELLINGS) {
      const visitor = browser();
      expectError(
        await visitor.ask("POST", "/account/sign-up", { email, password: PASSWORD }),
        "INVALID_REQUEST",
      );
      expect((await visitor.ask("POST", "/account/password/reset-request", { email })).status).toBe(202);
    }
    const last = newEmail();
    await browser().post("/account/sign-up", { email: last, password: PASSWORD });
    await server.to(last);
    expect(server.mails.slice(before).map(({ to }) => to)).toEqual([[last]]);
  });

  it("is sent to the mail server unchanged", async () => {
    const before = server.mails.length;
    const post = smtpPost(server.url, "opzoek@fabel.example");
    for (const to of HOSTILE_SPELLINGS) {
      await expect(post.deliver({ to, subject: "x", text: "x" })).rejects.toThrow(
        "no mail can be sent to the account",
      );
    }
    post.close();
    expect(server.mails).toHaveLength(before);
  });

  it("belongs to one account regardless of case, and whether its domain is written in Unicode or ASCII", async () => {
    const visitor = browser();
    await visitor.post("/account/sign-up", { email: "Zoe+Kvk@B\u00dcCHER.example", password: PASSWORD });
    // The test's mail server decodes the domain; on the wire it is ASCII.
    const [mail] = await server.to("zoe+kvk@b\u00fccher.example");
    expect(mail?.raw).toContain("To: zoe+kvk@xn--bcher-kva.example");
    await visitor.post("/account/confirm", { token: mail && tokenIn(mail), password: PASSWORD });
    for (const email of ["zoe+kvk@xn--bcher-kva.example", "ZOE+kvk@b\u00fccher.example"]) {
      await browser().post("/account/sign-in", { email, password: PASSWORD });
    }
  });

  it("of an old account that would be refused today can still sign in and be deleted, and no mail for it reaches another mailbox", async () => {
    const createdAt = new Date(NOON).toISOString();
    const password = await new Passwords().hash(PASSWORD);
    for (const email of ["v@fabel.example>", "zo\u00eb@b\u00fccher.example", "dev@localhost"]) {
      const id = `acc_${email.length}`;
      const account = { id, email, tierName: "free", isSuspended: false, createdAt };
      await service.state.people.addPerson({ account, passwordHash: password, language: "en", nowMs: NOON });
      const before = server.mails.length;
      const visitor = browser();
      const state = await visitor.post<SessionState>("/account/sign-in", {
        email: ` ${email.toUpperCase()} `,
        password: PASSWORD,
      });
      expect(state.person).toMatchObject({ accountId: id, email });
      expect((await visitor.ask("POST", "/account/password/reset-request", { email })).status).toBe(202);
      const last = newEmail();
      await browser().post("/account/sign-up", { email: last, password: PASSWORD });
      await server.to(last);
      expect(server.mails.slice(before).map(({ to }) => to)).toEqual([[last]]);
      expect((await visitor.ask("POST", "/account/delete", { password: PASSWORD })).status).toBe(204);
      expect(await service.state.accounts.find(id)).toBeUndefined();
    }
  });
});

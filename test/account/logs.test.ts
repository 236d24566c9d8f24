/** Logs record sign-ins and sign-outs without any secret. */
import { expect, it } from "vitest";
import type { SessionState } from "../../src/contract/accountResources.ts";
import type { NewAccountKey } from "../../src/contract/keyResources.ts";
import type { AdminLink } from "../../src/contract/oneAccountResources.ts";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { startMailServer, tokenIn } from "../kit/mailServer.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const PUBLIC_URL = "https://registry.fabel.example";
const SECRETS = {
  email: "geheim-adres@fabel.example",
  password: "geheim woord van de molen",
  next: "geheim woord van de bakker",
  wrong: "geheim maar niet goed hoor",
};

it("the service logs no password, token, cookie, key or address on success or failure", async () => {
  const mails = await startMailServer();
  const environment = {
    LOG_LEVEL: "debug",
    SIGNUP: "open",
    SMTP_URL: mails.url,
    PUBLIC_URL,
    TRUST_PROXY: "127.0.0.1",
  };
  const world = await makeWorld({ environment });
  const service = await startService(world);
  let cookie = "";
  const tokens: string[] = [];
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await ask(service, {
      method,
      path,
      body,
      headers: {
        "x-forwarded-proto": "https",
        "x-forwarded-for": "10.1.2.3",
        ...(method === "GET" ? {} : { origin: PUBLIC_URL }),
        ...(cookie === "" ? {} : { cookie }),
      },
    });
    const pair = answer.headers["set-cookie"]?.split(";")[0];
    if (pair !== undefined && !pair.endsWith("=")) {
      cookie = pair;
      tokens.push(pair.split("=")[1] ?? "");
    }
    return answer;
  };
  const { email, password, next, wrong } = SECRETS;
  await send("POST", "/account/sign-up", { email, password });
  const [mail] = await mails.to(email);
  const token = mail === undefined ? "" : tokenIn(mail);
  tokens.push(token);
  expect((await send("POST", "/account/confirm", { token, password: wrong })).status).toBe(403);
  expect((await send("POST", "/account/confirm", { token, password })).status).toBe(200);
  expect((await send("POST", "/account/sign-in", { email, password: wrong })).status).toBe(401);
  expect((await send("POST", "/account/sign-in", { email, password })).status).toBe(200);
  const { key, id } = jsonOf(await send("POST", "/account/first-key")) as NewAccountKey;
  expect(
    (await send("POST", "/account/try", { method: "GET", path: "/v1/autocomplete?q=geheimwoord" })).status,
  ).toBe(200);
  const rolled = jsonOf(await send("POST", `/account/keys/${id}/roll`, { overlapHours: 1 })) as NewAccountKey;
  await send("POST", "/account/password/reset-request", { email });
  const { person } = jsonOf(await send("GET", "/account/session")) as SessionState;
  const accountId = person?.accountId ?? "";
  expect((await opzoek(["account", "admin", accountId], world.environment)).code).toBe(0);
  const oneAccount = `/account/admin/accounts/${accountId}`;
  const links = [
    await send("POST", "/account/admin/invites", { email: "geheim-gast@fabel.example" }),
    await send("POST", `${oneAccount}/password-link`, { password }),
  ];
  expect(links.map(({ status }) => status)).toEqual([201, 201]);
  tokens.push(...links.map((link) => (jsonOf(link) as AdminLink).link.split("=")[1] ?? ""));
  expect((await send("POST", `${oneAccount}/password-link`, { password: wrong })).status).toBe(403);
  const note = { text: "geheime notitie", basedOn: 0 };
  expect((await send("POST", `${oneAccount}/note`, note)).status).toBe(200);
  expect((await send("POST", `${oneAccount}/note`, note)).status).toBe(400);
  await send("GET", `/account/admin/audit?account=${email}`);
  mails.fail(550);
  expect((await send("POST", "/account/password", { oldPassword: password, newPassword: next })).status).toBe(
    204,
  );
  await send("POST", "/account/sign-in", `{"email":"${email}","password":"${password}`);
  await send("POST", "/account/sign-in", { email, password, surprise: wrong });
  await send("POST", `/account/sessions/${tokens.at(-1)}`);
  expect((await send("POST", "/account/delete", { password: next })).status).toBe(204);

  await until("the abandoned mail is logged", () =>
    service.log().some(({ msg }) => msg === "a mail could not be sent"),
  );
  const route = (pattern: string) => service.log().some((line) => line.route === pattern);
  await until(
    "every request has a log line",
    () => route("/account/delete") && route("/account/keys/:id/roll"),
  );
  expect(await service.end("SIGTERM")).toBe(0);
  const written = service.program.out() + service.program.err();
  const secrets = [
    ...Object.values(SECRETS),
    ...tokens,
    key,
    rolled.key,
    "geheim",
    "ticket_",
    "opz_live_",
    "argon2",
  ];
  expect(tokens.length).toBeGreaterThan(3);
  for (const secret of secrets) expect(written).not.toContain(secret);
});

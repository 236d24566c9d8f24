/** Queued and failed mails appear in the metrics, and the log names the mail server. */
import { expect, it } from "vitest";
import { BEHIND_PROXY, PUBLIC } from "../kit/browser.ts";
import { ask } from "../kit/client.ts";
import { startMailServer } from "../kit/mailServer.ts";
import { scrape, valuesOf } from "../kit/metrics.ts";
import { startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

it("the metrics count a queued mail, failed attempts and an abandoned mail", async () => {
  const mails = await startMailServer();
  const environment = { METRICS_PORT: "0", SIGNUP: "open", SMTP_URL: mails.url, ...BEHIND_PROXY };
  const service = await startService(await makeWorld({ environment }));
  const metrics = service.log().find(({ msg }) => msg === "metrics are served");
  const metricsPort = Number(new URL(String(metrics?.["address"])).port);
  const signUp = (email: string) =>
    ask(service, {
      method: "POST",
      path: "/account/sign-up",
      body: { email, password: "geheim woord van de molen" },
      headers: { origin: PUBLIC, "x-forwarded-proto": "https", "x-forwarded-for": "10.1.2.3" },
    });
  const seen = async () => {
    const text = await scrape(metricsPort);
    const failures = valuesOf(text, "opzoek_mail_failures_total");
    return {
      waiting: valuesOf(text, "opzoek_mails_waiting").get(""),
      tries: failures.get('{what="try"}'),
      lost: failures.get('{what="lost"}'),
    };
  };
  expect(await seen()).toEqual({ waiting: 0, tries: 0, lost: 0 });

  mails.fail(451);
  expect((await signUp("wacht@fabel.example")).status).toBe(202);
  const waiting = await until("an attempt has failed", async () => {
    const now = await seen();
    return (now.tries ?? 0) > 0 && now;
  });
  expect(waiting).toMatchObject({ waiting: 1, lost: 0 });

  mails.fail(550);
  expect((await signUp("weg@fabel.example")).status).toBe(202);
  await until("a mail is abandoned", async () => ((await seen()).lost ?? 0) > 0);
  const line = await until("the log says so", () =>
    service.log().find(({ msg }) => msg === "a mail could not be sent"),
  );
  expect(line).toMatchObject({
    host: "127.0.0.1",
    port: Number(new URL(mails.url).port),
    reason: "the mail server answered 550",
  });
  expect(await service.end("SIGTERM")).toBe(0);
});

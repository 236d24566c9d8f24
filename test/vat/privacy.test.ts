/** A VAT number can contain a citizen number: no log, error or health response has a part of one. */
import { expect, it } from "vitest";
import { codeOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { validationOf } from "../kit/vat.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";
import { DERIVED, DERIVED_NUMBER, GIVEN, GIVEN_NUMBER, VAT_COMPANIES } from "./companies.ts";

const NUMBER = "NL123456782B90";
const REQUESTER = "EL094259216";

it("no log, error or health response contains a part of a VAT number, whatever the outcome", async () => {
  const vies = await startVies({ companyOf: () => REGISTERED });
  const world = await makeWorld({
    companies: VAT_COMPANIES,
    environment: { VIES_URL: vies.url, VIES_DEADLINE_MS: "1000", LOG_LEVEL: "debug" },
  });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  let calls = 0;
  const send = (path: string, withKey: string | undefined = key) => {
    calls += 1;
    return ask(service, { path, key: withKey });
  };
  const everyWay = async () => {
    const answers = [];
    for (const what of [
      NUMBER,
      `${NUMBER}?maxAge=0`,
      `${NUMBER}?requester=${REQUESTER}`,
      `${NUMBER}?maxAge=x${NUMBER}`,
      `${NUMBER}?requester=${NUMBER}0`,
      `${NUMBER}?requester=DE999999202`,
      `${NUMBER}?${NUMBER}=1`,
      `${NUMBER}?apikey=x&apikey=y`,
      "NL123456789B90",
      `GB${NUMBER.slice(2)}`,
      `NL${NUMBER}`,
      `${NUMBER}%zz`,
      `${NUMBER}/more`,
      `${NUMBER}0000`,
    ]) {
      answers.push(await send(validationOf(what)));
    }
    answers.push(await send(validationOf(NUMBER), ""));
    for (const path of ["/v1/lookup/", "/v1/search?q=a&page=", "/v1/nowhere/"]) {
      answers.push(await send(path + NUMBER));
    }
    for (const company of [DERIVED, GIVEN]) await send(`/v1/lookup/${company}?enrich=true`);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(codeOf(answer)).toBeDefined();
      for (const part of ["123456", "0942", "259216"]) expect(answer.text).not.toContain(part);
    }
  };
  await everyWay();
  for (const fault of [
    // First: the others make the service stop calling VIES.
    { kind: "otherNumber" },
    { kind: "reset" },
    { kind: "html", status: 500 },
    { kind: "hang" },
    { kind: "code", code: "VOW-ERR-2600", status: 400 },
    { kind: "code", code: "IP_BLOCKED" },
  ] as const) {
    vies.setFault("*", fault);
    await everyWay();
  }
  await send("/v1/health");
  const answered = () => service.log().filter((line) => "requestId" in line).length;
  await until("every request has a log line", () => answered() >= calls);
  expect(await service.end("SIGTERM")).toBe(0);
  expect(service.log().some(({ what }) => what === "vies" || what === "address")).toBe(true);
  const onOther = service.log().filter(({ msg }) => String(msg).includes("about another number"));
  expect(onOther.some(({ state, level }) => state === "NL" && level === 40)).toBe(true);

  const written = service.program.out() + service.program.err();
  for (const number of [NUMBER, REQUESTER, "NL123456789B90", DERIVED_NUMBER, GIVEN_NUMBER]) {
    for (const part of [number, number.slice(2), number.slice(2, 11), number.slice(4, 10)]) {
      expect(written).not.toContain(part);
    }
  }
  for (const part of [REGISTERED.name, "SPROOKJESLAAN", "WAPIAAAA"]) expect(written).not.toContain(part);
});

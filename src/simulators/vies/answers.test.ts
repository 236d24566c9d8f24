import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { check, post, simulator } from "../../../test/kit/viesSimulator.ts";
import { traderOf } from "./registry.ts";

const RECORDED = sharedPath("data/vat/recorded");
const ISO_MS_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CONSULTATION = /^WAPIAAAA[0-9A-Za-z]{8}$/;

type Body = Readonly<Record<string, unknown>>;

function recorded(path: string): Body {
  return JSON.parse(readFileSync(`${RECORDED}/${path}`, "utf8")) as Body;
}

const WITH_REQUESTER = { requesterMemberStateCode: "CZ", requesterNumber: "25123891" };
const AT_INDITEX = { traderName: "INDUSTRIA DE DISEÑO TEXTIL, S.A.", traderCity: "ARTEIXO" };

/** What was asked for each recorded body, as far as it changes the answer. */
const ASKED: Readonly<Record<string, object>> = {
  "invalid-cz.json": {},
  "valid-cz-cez.json": {},
  "valid-cz-trader-not-processed.json": { traderName: "CEZ" },
  "valid-cz-with-requester.json": WITH_REQUESTER,
  "valid-de-no-name.json": {},
  "valid-dk-with-requester-TRUNCATED.json": WITH_REQUESTER,
  "valid-es-trader-match.json": AT_INDITEX,
};

/** Makes the registry say of a recorded number what VIES said. */
function companyOf(countryCode: string, national: string) {
  const path = readdirSync(`${RECORDED}/rest_post`).find((file) => {
    const body = recorded(`rest_post/${file}`);
    return body["countryCode"] === countryCode && body["vatNumber"] === national;
  });
  const { valid, name, address } = recorded(`rest_post/${path}`);
  return valid === true ? { name: String(name), address: String(address) } : ("unknown" as const);
}

describeWith(shared(RECORDED), "recorded answers", () => {
  it.each(Object.keys(ASKED))("are answered alike, field by field and in order: %s", async (file) => {
    const vies = await simulator({ companyOf });
    const theirs = recorded(`rest_post/${file}`);
    const number = { countryCode: theirs["countryCode"], vatNumber: theirs["vatNumber"] };
    const { status, json } = await post(vies, { ...number, ...ASKED[file] });
    expect(status).toBe(200);
    const fields = Object.keys(theirs);
    const ours = file.includes("TRUNCATED") ? Object.keys(json).slice(0, fields.length) : Object.keys(json);
    expect(ours).toEqual(fields);
    for (const [field, value] of Object.entries(theirs)) {
      if (field === "requestDate") expect(json[field]).toMatch(ISO_MS_UTC);
      else if (field === "requestIdentifier" && value !== "") expect(json[field]).toMatch(CONSULTATION);
      // Whose name it is, only the real registry knows.
      else if (!(number.countryCode === "ES" && field.endsWith("Match")))
        expect(json[field], field).toBe(value);
    }
  });

  it("cover every body that was recorded", () => {
    const files = readdirSync(`${RECORDED}/rest_post`).sort();
    expect([...Object.keys(ASKED), "test-service-100.json"].sort()).toEqual(files);
  });

  it("of the test service are answered alike", async () => {
    const { requestDate, ...theirs } = recorded("rest_post/test-service-100.json");
    const request = { countryCode: "CZ", vatNumber: "100" };
    const { json } = await post(await simulator(), request, "check-vat-test-service");
    expect(json).toEqual({ ...theirs, requestDate: expect.stringMatching(ISO_MS_UTC) });
    expect(Object.keys(json)).toEqual(Object.keys(recorded("rest_post/test-service-100.json")));
    expect(requestDate).toMatch(ISO_MS_UTC);
  });

  it.each([
    ["http400-vow-err-11.json", 400, { countryCode: "CZ" }],
    ["http500-vow-err-1.json", 500, "{"],
    ["vow-err-2600.json", 200, { countryCode: "CZ", vatNumber: "4527 4649" }],
    ["http200-ms-unavailable.json", 200, { countryCode: "DE", vatNumber: "999999301" }],
    ["http200-ms-max-concurrent-req.json", 200, { countryCode: "DE", vatNumber: "999999600" }],
    ["http200-invalid-requester-info.json", 200, requestedBy("CZ", "CZ25123891")],
  ])("of an error are answered alike: %s", async (file, status, body) => {
    const answer = await post(await simulator(), body);
    expect(answer).toMatchObject({ status, type: "application/json" });
    expect(answer.json).toEqual(recorded(`errors/${file}`));
  });

  it("of the status have the same fields", async () => {
    const { url } = await simulator();
    const ours = (await (await fetch(`${url}/check-status`)).json()) as Body;
    const theirs = recorded("check-status-shape.json");
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    expect(ours["vow"]).toEqual(theirs["vow"]);
    expect(ours["countries"]).toContainEqual({ countryCode: "CZ", availability: "Available" });
  });
});

function requestedBy(requesterMemberStateCode: string, requesterNumber: string) {
  return { countryCode: "CZ", vatNumber: "25123891", requesterMemberStateCode, requesterNumber };
}

it.each([
  ["no number", { countryCode: "CZ" }, "VOW-ERR-11"],
  ["no country", { vatNumber: "25123891" }, "VOW-ERR-11"],
  ["an empty number", { countryCode: "CZ", vatNumber: "" }, "VOW-ERR-11"],
  ["a number that is no text", { countryCode: "CZ", vatNumber: 25123891 }, "VOW-ERR-11"],
  ["a list", [], "VOW-ERR-11"],
  ["only a requester's country", { ...requestedBy("CZ", ""), vatNumber: "25123891" }, "VOW-ERR-11"],
  ["only a requester's number", requestedBy("", "25123891"), "VOW-ERR-11"],
  ["Great Britain", { countryCode: "GB", vatNumber: "980780684" }, "INVALID_INPUT"],
  ["Greece as GR", { countryCode: "GR", vatNumber: "094259216" }, "INVALID_INPUT"],
  ["a country in small letters", { countryCode: "cz", vatNumber: "25123891" }, "INVALID_INPUT"],
  ["a hyphen", { countryCode: "CZ", vatNumber: "2512-3891" }, "VOW-ERR-2600"],
  ["thirteen characters", { countryCode: "CZ", vatNumber: "1234567890123" }, "VOW-ERR-2600"],
  ["a requester of Great Britain", requestedBy("GB", "980780684"), "VOW-ERR-2500"],
  ["a requester with a hyphen", requestedBy("CZ", "2512-3891"), "VOW-ERR-2700"],
  ["a requester with its country code", requestedBy("CZ", "CZ25123891"), "INVALID_REQUESTER_INFO"],
  ["a requester of no Czech form", requestedBy("CZ", "2512"), "INVALID_REQUESTER_INFO"],
  ["a magic requester", requestedBy("DE", "999999202"), "INVALID_REQUESTER_INFO"],
])("a request is refused as VIES does it: %s", async (_what, body, code) => {
  const { json } = await post(await simulator(), body);
  expect(json).toMatchObject({ actionSucceed: false, errorWrappers: [{ error: code }] });
});

it.each([
  ["NL", "NL123456782B90"],
  ["CZ", "CZ25123891"],
  ["NL", "12345678B90"],
  ["DE", "13669597"],
])(
  "a number with its country code, or of a wrong form, is not registered: %s %s",
  async (state, vatNumber) => {
    expect(await check(await simulator(), state, vatNumber)).toMatchObject({
      valid: false,
      name: "---",
      vatNumber,
    });
  },
);

it("every request by a requester gets a consultation number of its own", async () => {
  const vies = await simulator();
  const first = await check(vies, "CZ", "25123891", requestedBy("NL", "123456782B90"));
  const second = await check(vies, "CZ", "25123891", requestedBy("EU", "123456789"));
  expect(first["requestIdentifier"]).toMatch(CONSULTATION);
  expect(second["requestIdentifier"]).toMatch(CONSULTATION);
  expect(second["requestIdentifier"]).not.toBe(first["requestIdentifier"]);
});

it("Spain compares what it hides: name, street, postal code and city", async () => {
  const vies = await simulator();
  const trader = traderOf("ES", "B58378431");
  if (trader === undefined) throw new Error("the test needs a registered number");
  const right = { traderName: trader.name.toLowerCase(), traderPostalCode: trader.postalCode };
  expect(await check(vies, "ES", "B58378431", { ...right, traderCity: "ELSEWHERE" })).toMatchObject({
    ...right,
    valid: true,
    name: "---",
    traderNameMatch: "VALID",
    traderStreetMatch: "NOT_PROCESSED",
    traderPostalCodeMatch: "VALID",
    traderCityMatch: "INVALID",
  });
});

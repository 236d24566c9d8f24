import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { check, post, simulator } from "../../../test/kit/viesSimulator.ts";

const RECORDED = sharedPath("data/vat/recorded");
const ISO_MS_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CONSULTATION = /^WAPIAAAA[0-9A-Za-z]{8}$/;

type Body = Readonly<Record<string, unknown>>;

function recorded(path: string): Body {
  return JSON.parse(readFileSync(`${RECORDED}/${path}`, "utf8")) as Body;
}

const WITH_REQUESTER = { requesterMemberStateCode: "CZ", requesterNumber: "25123891" };

/** The recorded bodies, with the part of the request that changes the result. */
const ASKED: Readonly<Record<string, object>> = {
  "invalid-cz.json": {},
  "valid-cz-cez.json": {},
  "valid-cz-trader-not-processed.json": { traderName: "CEZ" },
  "valid-cz-with-requester.json": WITH_REQUESTER,
  "valid-de-no-name.json": {},
  "valid-dk-with-requester-TRUNCATED.json": WITH_REQUESTER,
};

/** Makes the registry return what VIES returned for a recorded number. */
function companyOf(countryCode: string, national: string) {
  const path = readdirSync(`${RECORDED}/rest_post`).find((file) => {
    const body = recorded(`rest_post/${file}`);
    return body["countryCode"] === countryCode && body["vatNumber"] === national;
  });
  const { valid, name, address } = recorded(`rest_post/${path}`);
  return valid === true ? { name: String(name), address: String(address) } : ("unknown" as const);
}

describeWith(shared(RECORDED), "recorded answers", () => {
  it.each(Object.keys(ASKED))(
    "match those of the simulator, field by field and in order: %s",
    async (file) => {
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
        else expect(json[field], field).toBe(value);
      }
    },
  );

  it("are compared with every recording except those of the test service and of traders' details, which Opzoek does not use", () => {
    const files = readdirSync(`${RECORDED}/rest_post`).sort();
    const unused = ["test-service-100.json", "valid-es-trader-match.json"];
    expect([...Object.keys(ASKED), ...unused].sort()).toEqual(files);
  });

  it.each([
    ["http400-vow-err-11.json", 400, { countryCode: "CZ" }],
    ["http500-vow-err-1.json", 500, "{"],
    ["vow-err-2600.json", 200, { countryCode: "CZ", vatNumber: "4527 4649" }],
    ["http200-ms-unavailable.json", 200, { countryCode: "DE", vatNumber: "999999301" }],
    ["http200-ms-max-concurrent-req.json", 200, { countryCode: "DE", vatNumber: "999999600" }],
    ["http200-invalid-requester-info.json", 200, requestedBy("CZ", "CZ25123891")],
  ])("of an error match those of the simulator: %s", async (file, status, body) => {
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
])("a request is refused as by VIES: %s", async (_what, body, code) => {
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

it("every request with a requester gets a new consultation number", async () => {
  const vies = await simulator();
  const first = await check(vies, "CZ", "25123891", requestedBy("NL", "123456782B90"));
  const second = await check(vies, "CZ", "25123891", requestedBy("EU", "123456789"));
  expect(first["requestIdentifier"]).toMatch(CONSULTATION);
  expect(second["requestIdentifier"]).toMatch(CONSULTATION);
  expect(second["requestIdentifier"]).not.toBe(first["requestIdentifier"]);
});

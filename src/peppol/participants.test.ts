import type { NaptrRecord } from "node:dns";
import { describe, expect, it } from "vitest";
import { kvkNumber } from "../../test/kit/companies.ts";
import { LEGAL_FORM_CODES } from "../contract/legalForms.ts";
import { hostOf, mayAsk, participantsOf, smpOf } from "./participants.ts";

/**
 * The first two are published. The others were computed with other programs:
 * `printf %s ID | openssl dgst -sha256 -binary | base32 -w0 | tr -d =`.
 */
const HASHES = [
  ["9915:test", "EH5BOAVAKTMBGZYH2A63DZ4QOV33FVP5NSDVQKLUCFRAAYOODW6A"],
  ["0192:923609016", "XQK4T3FMTEZDUY5BOVJMTNAQ45N7E4TIBYHWFPGOT75BSP7UYG2A"],
  ["0106:51234567", "74IMMLVRLBL3PL6Z6K6XDEHCUEHXMIIU6CV7VJ67PYUT5RSR7XLQ"],
  ["0106:00000000", "SICNC6Z6SJHZLPC6R43IDHTDXT2BGRYS7EXFI4WXFY7XMB7XKHQQ"],
  ["0106:99999999", "JB57GHUTOUA6WUHURXJWIDXJWS7RZAVOOK3BKL5VJOGJEFL7TV3Q"],
  ["0106:01234567", "6M2SHLWKF67F2RJ62ABDM67KL2YEHL3NDEOZZRUHVWNGNU4GE7UA"],
  ["0106:09876543", "2GVZHYFE6SOKVUBH4ARXFRJHRIMQTLBWGEYH3ITD5JZNCY7ZCP4Q"],
  ["0106:50000001", "UOHPIR7RR6KUSDBZZMWO6F5SFHXK5PQSTRK3XYLN3X4WURDQPRQA"],
  ["0106:50000012", "ERD5ZXBXBNO6GJPRYAQPX2XJW2S247CEWFEAHCESCYSKDUD6Y3WA"],
  ["0106:50000021", "UKYUW25H2CQWCSXGTE7VOHRO2L5JLY5NL2WOJVST6EE5CKDCOILA"],
  ["0106:99990001", "MYR26KGNMQW3YDOO46N3NFKD3DSPOWHY2FZOGEGFNFNWJXOUG3JA"],
  ["0106:99990019", "4CJO7DS7PBSCXUDTNTGCKNSCKPRA3ZNUTEITZOCQZ2AL3GJFZOSA"],
  ["0106:99990023", "CSGZR76VNMS3Z75ZVT4ZHVFHML76HACOYAVTAVIODYB3V5CYF53Q"],
  ["0106:99990025", "3YM6PJ2RA437H23FMD7KSDR5B25RDQDZKYYEDNDX2B2EL6YML6ZA"],
  ["0106:99990027", "UI7VYMM6V6CNF6WTDH6FMK3YZECV7N7TOMKNSWAOOWI422NA2YFQ"],
  ["0106:00099990", "E72ORSJDQH2ORRCDBCTOA43GHGIFC3NE2DMXNZGAKUNDBWAVUD7Q"],
  ["9944:nl912345603b01", "VSBZEE5VTTEKE4YUEMS6FLVGVJ3RM5QPZ5FIBM5XF4V7UNELAWLQ"],
  ["9944:nl123456782b01", "7FC2R25B3CD3WE2YG6YNZOFBN6EBIRNWXPP34CFDTMEQT3DRQH5A"],
  ["9944:nl999990007b01", "EZMHSVZKUBAEN3DVPPEBRF57TDMEZTXTKT6BV3U6M6LXPDMNTSUQ"],
  ["9944:nl999990100b15", "UOB2HNO52FFKDFBLDR5H643JL5FTZGKTFZRX3TNMQTD6GCR2YHGA"],
  ["9944:nl999990201b76", "H72OA72NIZEDOZUYEFBZNJKLTFROHAB4ISQ2O2YWJTKJC2A5Z5MA"],
  ["0190:00000009999999999000", "T3AVHSDO2GT3ZDYZP5Y4YUCPE42BU3MVHHVP63ETZIEECYT6TESA"],
] as const;

const ZONE = "participant.sml.test.example";

describe("the host of a participant", () => {
  it.each(HASHES)("of %s is its hash", (participantId, hash) => {
    expect(hostOf(participantId, ZONE)).toBe(`${hash}.iso6523-actorid-upis.${ZONE}`);
    expect(hostOf(participantId.toUpperCase(), ZONE)).toBe(`${hash}.iso6523-actorid-upis.${ZONE}`);
  });
});

/** A record as Peppol publishes them. */
const record = (more: Partial<NaptrRecord> = {}): NaptrRecord => ({
  flags: "U",
  service: "Meta:SMP",
  regexp: "!.*!https://smp.example!",
  replacement: "",
  order: 100,
  preference: 10,
  ...more,
});
const at = (host: string, more: Partial<NaptrRecord> = {}) =>
  record({ regexp: `!.*!https://${host}.example!`, ...more });
const hostIn = (...records: readonly NaptrRecord[]) => smpOf(records)?.host;

describe("the SMP of records", () => {
  it("has the lowest order, then the lowest preference, in any order of the answer", () => {
    const records = [
      at("d", { order: 200, preference: 1 }),
      at("b", { order: 100, preference: 20 }),
      at("a", { order: 100, preference: 10 }),
      at("c", { order: 100, preference: 30 }),
    ];
    expect(hostIn(...records)).toBe("a.example");
    expect(hostIn(...records.toReversed())).toBe("a.example");
    expect(hostIn(at("first"), at("second"))).toBe("first.example");
    expect(hostIn(at("ten", { preference: 10 }), at("nine", { preference: 9 }))).toBe("nine.example");
  });

  it("is that of a later record if those before it are not usable", () => {
    const unusable = [
      at("a", { order: 1, flags: "S" }),
      at("b", { order: 2, service: "Meta:SMP:2" }),
      at("c", { order: 3, regexp: "!.*!not a url!" }),
    ];
    expect(hostIn(...unusable, at("d", { order: 4 }))).toBe("d.example");
    expect(smpOf(unusable)).toBeUndefined();
    expect(smpOf([])).toBeUndefined();
  });

  it.each([
    { flags: "u" },
    { service: "meta:smp" },
    { service: "META:SMP" },
    { regexp: "!^.*$!https://smp.example!" },
    { regexp: "!^.*!https://smp.example!" },
    { regexp: "!.*$!https://smp.example!" },
    { regexp: "!.*!https://smp.example!i" },
    { regexp: "#^.*$#https://smp.example#" },
    { regexp: "|.*|https://smp.example|" },
    { regexp: "!.*!https://SMP.example:443/!" },
    { regexp: "!.*!http://smp.example!" },
  ])("is read from %j", (more) => {
    expect(hostIn(record(more))).toBe("smp.example");
  });

  it.each([
    ["!.*!http://smp.example:8080/peppol/smp!", "http://smp.example:8080/peppol/smp"],
    ["!^.*$!https://smp.example/a/!", "https://smp.example/a/"],
    ["!.*!https://[2001:db8::1]/!", "https://[2001:db8::1]/"],
  ])("keeps port and path of %s", (regexp, url) => {
    expect(smpOf([record({ regexp })])?.href).toBe(url);
  });

  it.each([
    { flags: "" },
    { flags: "A" },
    { flags: "US" },
    { service: "" },
    { service: "Meta:SMP " },
    { service: "E2U+sip" },
    { service: "XMeta:SMP" },
    { regexp: "" },
    { regexp: "https://smp.example" },
    { regexp: "!.*!!" },
    { regexp: "!.*!https://smp.example" },
    { regexp: ".*!https://smp.example!" },
    { regexp: "!.*#https://smp.example#" },
    { regexp: "!.*!https://smp.example!https://other.example!" },
    { regexp: "!.*!https://smp.example!x" },
    { regexp: "!^(.*)$!https://smp.example/\\1!" },
    { regexp: "!0106:.*!https://smp.example!" },
    { regexp: "/.*/https://smp.example/" },
    { regexp: "!.*!smp.example!" },
    { regexp: "!.*!/smp!" },
    { regexp: "!.*!ftp://smp.example!" },
    { regexp: "!.*!file:///etc/passwd!" },
    { regexp: "!.*!https://smp.example:8443!" },
    { regexp: "!.*!https://user@smp.example!" },
    { regexp: "!.*!https://user:secret@smp.example!" },
    { regexp: "!.*!https://!" },
    { regexp: "", replacement: "smp.example" },
  ])("is not read from %j", (more) => {
    expect(smpOf([record(more)])).toBeUndefined();
  });
});

describe("a URL of a stranger", () => {
  it.each([
    ["https://smp.example/a?b", true],
    ["https://smp.example:443/", true],
    ["http://smp.example/", true],
    ["http://smp.example:8080/", true],
    ["https://smp.example:80/", false],
    ["https://smp.example:8443/", false],
    ["http://user@smp.example/", false],
    ["https://:secret@smp.example/", false],
    ["ftp://smp.example/", false],
    ["javascript:alert(1)", false],
    ["data:text/xml,a", false],
  ])("%s may be called: %s", (url, isAllowed) => {
    expect(mayAsk(new URL(url))).toBe(isAllowed);
  });
});

describe("the identifiers to ask about", () => {
  const NUMBER = kvkNumber("50000001");
  const VAT = "NL123456782B90";
  const LEGAL_PERSONS = "BV NV STI VER VVE COOP OWM KG PPR OPR SE SCE EESV".split(" ");

  it.each(LEGAL_FORM_CODES.map((legalForm) => [legalForm, LEGAL_PERSONS.includes(legalForm)] as const))(
    "of a company of the form %s include its VAT number: %s",
    (legalForm, isAsked) => {
      const own = participantsOf(NUMBER, { legalForm, vatNumber: VAT });
      expect(own).toEqual(isAsked ? ["0106:50000001", `9944:${VAT}`] : ["0106:50000001"]);
    },
  );

  it.each([
    ["that the registry does not know", undefined],
    ["without legal form and VAT number", {}],
    ["without VAT number", { legalForm: "BV" }],
    ["without legal form", { vatNumber: VAT }],
    ["with a Belgian VAT number", { legalForm: "BV", vatNumber: "BE0403019261" }],
    ["with a German VAT number", { legalForm: "BV", vatNumber: "DE136695976" }],
    ["with a VAT number that is too short", { legalForm: "BV", vatNumber: "NL123456782B9" }],
    ["with a VAT number without country", { legalForm: "BV", vatNumber: "123456782B90" }],
    ["with a text instead of a VAT number", { legalForm: "BV", vatNumber: "onbekend" }],
    ["with an empty VAT number", { legalForm: "BV", vatNumber: "" }],
  ] as const)("of a company %s are its KVK number alone", (_, facts) => {
    expect(participantsOf(NUMBER, facts)).toEqual(["0106:50000001"]);
  });

  it("have the VAT number in normal form", () => {
    const facts = { legalForm: "STI", vatNumber: "nl 1234.56.782.b90" } as const;
    expect(participantsOf(NUMBER, facts)).toEqual(["0106:50000001", `9944:${VAT}`]);
    const unchecked = { legalForm: "BV", vatNumber: "NL999990001B01" } as const;
    expect(participantsOf(NUMBER, unchecked)).toEqual(["0106:50000001", "9944:NL999990001B01"]);
  });

  it("keep leading zeros", () => {
    expect(participantsOf(kvkNumber("00099990"), undefined)).toEqual(["0106:00099990"]);
  });
});

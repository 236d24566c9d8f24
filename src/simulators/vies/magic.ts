import type { StateCode } from "../../vat/numbers/states.ts";

/**
 * The magic codes of the test service of VIES, and what each answers: a registered number, one that is not, or an error.
 * Source: the comment in the Commission's `checkVatTestService.wsdl`. There the whole number is the code, and any other
 * number answers SERVICE_UNAVAILABLE.
 */
export const MAGIC_ANSWERS = {
  "100": "VALID",
  "200": "INVALID",
  "201": "INVALID_INPUT",
  "202": "INVALID_REQUESTER_INFO",
  "300": "SERVICE_UNAVAILABLE",
  "301": "MS_UNAVAILABLE",
  "302": "TIMEOUT",
  "400": "VAT_BLOCKED",
  "401": "IP_BLOCKED",
  "500": "GLOBAL_MAX_CONCURRENT_REQ",
  "501": "GLOBAL_MAX_CONCURRENT_REQ_TIME",
  "600": "MS_MAX_CONCURRENT_REQ",
  "601": "MS_MAX_CONCURRENT_REQ_TIME",
} as const;

export type MagicAnswer = (typeof MAGIC_ANSWERS)[keyof typeof MAGIC_ANSWERS];

/** What the test service answers to a number. */
export function testServiceAnswer(vatNumber: string): MagicAnswer {
  return isMagicCode(vatNumber) ? MAGIC_ANSWERS[vatNumber] : "SERVICE_UNAVAILABLE";
}

/**
 * What a number of a state's own form answers when it is a magic one: the codes of the test service are too short to pass a
 * check of the form, so here they also count at the end of a real form, after 9s that no other number has there.
 * The code is the last three digits, before them stand at least five 9s; what the form puts after its digits is left
 * out of account (NL `B44`, SE `01`, the letters of CY, ES and IE). An Irish number has room for four 9s only.
 */
export function magicAnswer(countryCode: StateCode, national: string): MagicAnswer | undefined {
  const tail = TAILS[countryCode] ?? /[A-Z]*$/;
  const nines = countryCode === "IE" ? 4 : 5;
  const [, code = ""] = new RegExp(`9{${nines}}([0-9]{3})$`).exec(national.replace(tail, "")) ?? [];
  return isMagicCode(code) ? MAGIC_ANSWERS[code] : undefined;
}

const TAILS: Readonly<Partial<Record<StateCode, RegExp>>> = { NL: /B[0-9]{2}$/, SE: /01$/ };

function isMagicCode(text: string): text is keyof typeof MAGIC_ANSWERS {
  return Object.hasOwn(MAGIC_ANSWERS, text);
}

import type { StateCode } from "../../vat/numbers/states.ts";

/**
 * The magic codes of the test service of VIES and its results: a registered number, one that is not, or an error.
 * Source: the comment in the Commission's `checkVatTestService.wsdl`.
 */
export const MAGIC_RESULTS = {
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

const TAILS: Readonly<Partial<Record<StateCode, RegExp>>> = { NL: /B[0-9]{2}$/, SE: /01$/ };

/**
 * The result of a magic number. The codes of the test service are too short to pass a check of a state's form, so here
 * they count at the end of a well-formed number: the last three digits, after at least five 9s (four in Ireland, whose
 * numbers have no room for more). Anything that the form has after the digits does not matter (NL `B44`, SE `01`, the
 * letters of CY, ES and IE).
 */
export function magicResult(
  countryCode: StateCode,
  national: string,
): (typeof MAGIC_RESULTS)[keyof typeof MAGIC_RESULTS] | undefined {
  const digits = national.replace(TAILS[countryCode] ?? /(?<![A-Z])[A-Z]*$/, "");
  const nines = countryCode === "IE" ? 4 : 5;
  const [, code = ""] = new RegExp(`9{${nines}}([0-9]{3})$`).exec(digits) ?? [];
  return isMagicCode(code) ? MAGIC_RESULTS[code] : undefined;
}

function isMagicCode(text: string): text is keyof typeof MAGIC_RESULTS {
  return Object.hasOwn(MAGIC_RESULTS, text);
}

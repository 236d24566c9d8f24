/** The keys of lines as `opzoek export` writes them, as bytes. */

const literal = (text: string): Uint8Array => Buffer.from(text);

/** The keys of a line, each as it stands before its value. */
export const KEYS = [
  "kvkNumber",
  "name",
  "tradingNames",
  "statutoryName",
  "legalForm",
  "address",
  "isActive",
  "registrationDate",
  "deregistrationDate",
  "activities",
  "rsin",
  "vatNumber",
  "nonMailing",
  "employees",
  "websites",
  "mainBranchNumber",
  "branchCount",
  "branches",
  "source",
] as const;
export const KEY_BYTES = KEYS.map((key) => literal(`"${key}":`));
/** Keys that a line must have. */
export const NEEDED =
  (1 << KEYS.indexOf("kvkNumber")) | (1 << KEYS.indexOf("name")) | (1 << KEYS.indexOf("isActive"));

export const STREET = literal('"street":');
export const HOUSE_NUMBER = literal('"houseNumber":');
export const POSTAL_CODE = literal('"postalCode":');
export const CITY = literal('"city":');
export const COUNTRY = literal('"country":');
export const IS_SHIELDED = literal('"isShielded":true');
export const SBI_CODE = literal('{"sbiCode":');
export const DESCRIPTION = literal(',"description":');
export const IS_MAIN = literal(',"isMain":');
export const TOTAL = literal('"total":');
export const FULL_TIME = literal('"fullTime":');
export const PART_TIME = literal('"partTime":');
export const BRANCH_NUMBER = literal('{"branchNumber":');
export const BRANCH_NAME = literal(',"name":');
export const BRANCH_ADDRESS = literal(',"address":');
export const BRANCH_IS_ACTIVE = literal(',"isActive":');

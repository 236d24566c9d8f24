import { randomInt } from "node:crypto";
import { checkVatNumber } from "../../vat/numbers/check.ts";
import { isStateCode, type StateCode } from "../../vat/numbers/states.ts";
import type { Reply } from "../simulator/sending.ts";
import { type CheckRequest, errorAnswer, resultAnswer } from "./answers.ts";
import { magicResult } from "./magic.ts";
import { isRegistered, type Shown, traderOf } from "./traders.ts";

/** A registered company with name and address as VIES shows them, or a number that is not registered. */
export type KnownCompany = Shown | "unknown";

/** Looks a number up outside the simulator; undefined leaves it to the made-up registry. */
export type CompanyOf = (
  countryCode: StateCode,
  national: string,
) => KnownCompany | undefined | Promise<KnownCompany | undefined>;

/** VIES accepts any of these, whatever the form of a state's numbers. */
const NUMBER_PATTERN = /^[0-9A-Za-z+*.]{2,12}$/;

/**
 * Reads the body of a POST, or returns the code of the error that VIES gives: VOW-ERR-11 when a mandatory field is
 * missing, or one of the two requester fields. Its code for a body that is not JSON is not recorded; VOW-ERR-1 is
 * assumed.
 */
export function readCheckRequest(body: string): CheckRequest | "VOW-ERR-1" | "VOW-ERR-11" {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return "VOW-ERR-1";
  }
  const fields: Readonly<Record<string, unknown>> =
    typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  const given = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
  const [countryCode, vatNumber] = [given("countryCode"), given("vatNumber")];
  const requester = { countryCode: given("requesterMemberStateCode"), vatNumber: given("requesterNumber") };
  if (countryCode === "" || vatNumber === "") return "VOW-ERR-11";
  if ((requester.countryCode === "") !== (requester.vatNumber === "")) return "VOW-ERR-11";
  return { countryCode, vatNumber, ...(requester.vatNumber !== "" && { requester }) };
}

/** `check-vat-number`: the response to a request. `companyOf` is not asked about magic numbers. */
export async function checkNumber(request: CheckRequest, companyOf: CompanyOf | undefined): Promise<Reply> {
  const { countryCode: state, vatNumber } = request;
  if (!isStateCode(state)) return errorAnswer("INVALID_INPUT");
  const national = vatNumber.toUpperCase();
  // VIES treats a number that includes its country code as not registered, even if it is too long for the pattern.
  if (!hasCountryCode(state, national) && !NUMBER_PATTERN.test(vatNumber)) return errorAnswer("VOW-ERR-2600");
  const refusal = requesterRefusal(request);
  if (refusal !== undefined) return errorAnswer(refusal);
  const requestIdentifier = identifierFor(request);
  const magic = isWellFormed(state, national) ? magicResult(state, national) : "INVALID";
  if (magic === "INVALID") return resultAnswer(request, requestIdentifier);
  if (magic === "VALID") return resultAnswer(request, requestIdentifier, traderOf(state, national));
  if (magic !== undefined) return errorAnswer(magic);
  const known =
    (await companyOf?.(state, national)) ??
    (isRegistered(state, national) ? traderOf(state, national) : "unknown");
  return known === "unknown"
    ? resultAnswer(request, requestIdentifier)
    : resultAnswer(request, requestIdentifier, known);
}

/**
 * The error for a requester. Its number must be well-formed, without the country code, and not a magic number for "not
 * registered". It need not be in the made-up registry, so that any number can be tried as a requester. `EU` numbers are
 * those of the one-stop shop: such businesses can send requests, but cannot be validated.
 */
function requesterRefusal({ requester }: CheckRequest): string | undefined {
  if (requester === undefined) return undefined;
  const { countryCode: state, vatNumber } = requester;
  if (state === "EU") return /^[0-9]{9}$/.test(vatNumber) ? undefined : "INVALID_REQUESTER_INFO";
  if (!isStateCode(state)) return "VOW-ERR-2500";
  const national = vatNumber.toUpperCase();
  if (!hasCountryCode(state, national) && !NUMBER_PATTERN.test(vatNumber)) return "VOW-ERR-2700";
  const magic = isWellFormed(state, national) ? magicResult(state, national) : "INVALID";
  return magic === "INVALID" || magic === "INVALID_REQUESTER_INFO" ? "INVALID_REQUESTER_INFO" : undefined;
}

function hasCountryCode(state: StateCode, national: string): boolean {
  return national.startsWith(state) && !isWellFormed(state, national);
}

function isWellFormed(countryCode: StateCode, national: string): boolean {
  return checkVatNumber({ countryCode, national }).wellFormed;
}

const IDENTIFIER_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new consultation number; empty without a requester. */
function identifierFor({ requester }: CheckRequest): string {
  if (requester === undefined) return "";
  const characters = Array.from({ length: 8 }, () => IDENTIFIER_CHARACTERS.charAt(randomInt(62)));
  return `WAPIAAAA${characters.join("")}`;
}

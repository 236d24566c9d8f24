import { randomInt } from "node:crypto";
import { checkVatNumber } from "../../vat/numbers/check.ts";
import { isStateCode, type StateCode } from "../../vat/numbers/states.ts";
import type { Reply } from "../transport.ts";
import { errorAnswer, fullAnswer, shortAnswer, shown } from "./answers.ts";
import { type MagicAnswer, magicAnswer, testServiceAnswer } from "./magic.ts";
import { madeUpTrader, traderOf } from "./registry.ts";
import type { CheckRequest } from "./request.ts";
import { WITHHELD } from "./shapes.ts";

/** A registered company with name and address as VIES shows them, or that a number is not registered. */
export type KnownCompany = { readonly name: string; readonly address: string } | "unknown";

/** What somebody else knows of a number; undefined when nothing (then the made-up registry speaks). */
export type CompanyOf = (
  countryCode: StateCode,
  national: string,
) => KnownCompany | undefined | Promise<KnownCompany | undefined>;

/** VIES accepts any of these, whatever the form of a state's numbers. */
const NUMBER_PATTERN = /^[0-9A-Za-z+*.]{2,12}$/;

/** What `companyOf` knows of the number that is asked, for {@link checkNumber}. It is asked for no magic number. */
export async function companyAsked(
  { countryCode: state, vatNumber }: CheckRequest,
  companyOf: CompanyOf | undefined,
): Promise<KnownCompany | undefined> {
  const national = vatNumber.toUpperCase();
  const isAsked =
    isStateCode(state) && isWellFormed(state, national) && magicAnswer(state, national) === undefined;
  return isAsked ? companyOf?.(state, national) : undefined;
}

/** `check-vat-number`: the answer to a request that has all its fields; `known` is what somebody else knows of the number. */
export function checkNumber(request: CheckRequest, known: KnownCompany | undefined): Reply {
  const { countryCode: state, vatNumber } = request;
  if (!isStateCode(state)) return errorAnswer("INVALID_INPUT");
  const national = vatNumber.toUpperCase();
  // A doubled country code is longer than the pattern allows, and is still answered as a number that is not registered.
  const hasPrefix = national.startsWith(state) && !isWellFormed(state, national);
  if (!hasPrefix && !NUMBER_PATTERN.test(vatNumber)) return errorAnswer("VOW-ERR-2600");
  const refusal = requesterRefusal(request);
  if (refusal !== undefined) return errorAnswer(refusal);
  const requestIdentifier = identifierFor(request);
  const refused = { valid: false, requestIdentifier, name: WITHHELD, address: WITHHELD };
  if (!isWellFormed(state, national)) return fullAnswer(request, state, refused);

  const magic = magicAnswer(state, national);
  if (magic === "INVALID") return fullAnswer(request, state, refused);
  if (magic !== undefined && magic !== "VALID") return errorAnswer(magic);
  if (known === "unknown") return fullAnswer(request, state, refused);
  if (known !== undefined) return fullAnswer(request, state, { valid: true, requestIdentifier, ...known });
  const trader = magic === "VALID" ? madeUpTrader(state, national) : traderOf(state, national);
  if (trader === undefined) return fullAnswer(request, state, refused);
  return fullAnswer(request, state, { valid: true, requestIdentifier, ...shown(state, trader) }, trader);
}

/** `check-vat-test-service`: the magic numbers and nothing else, for any country code. */
export function checkTestService(request: CheckRequest): Reply {
  const answer: MagicAnswer = testServiceAnswer(request.vatNumber);
  const requestIdentifier = identifierFor(request);
  if (answer === "VALID") {
    const johnDoe = { name: "John Doe", address: "123 Main St, Anytown, UK" };
    return shortAnswer(request, { valid: true, requestIdentifier, ...johnDoe });
  }
  if (answer === "INVALID") {
    return shortAnswer(request, { valid: false, requestIdentifier, name: WITHHELD, address: WITHHELD });
  }
  return errorAnswer(answer);
}

/** The same request of a backend that is sick: it knows nobody. */
export function asUnregistered({ status, body }: Reply): Reply {
  return body["valid"] === true
    ? { status, body: { ...body, valid: false, name: WITHHELD, address: WITHHELD } }
    : { status, body };
}

/**
 * Why a requester is refused. Its number has to be well formed, without the country code, and no magic number for "not
 * registered"; whether the made-up registry has it does not matter, so that any number can be tried as a requester.
 * `EU` is for businesses outside the EU (one-stop shop): they may ask, nobody can ask for them.
 */
function requesterRefusal({ requester }: CheckRequest): string | undefined {
  if (requester === undefined) return undefined;
  const { countryCode: state, vatNumber } = requester;
  if (state === "EU") return /^[0-9]{9}$/.test(vatNumber) ? undefined : "INVALID_REQUESTER_INFO";
  if (!isStateCode(state)) return "VOW-ERR-2500";
  const national = vatNumber.toUpperCase();
  if (national.startsWith(state) && !isWellFormed(state, national)) return "INVALID_REQUESTER_INFO";
  if (!NUMBER_PATTERN.test(vatNumber)) return "VOW-ERR-2700";
  if (!isWellFormed(state, national)) return "INVALID_REQUESTER_INFO";
  const magic = magicAnswer(state, national);
  return magic === "INVALID" || magic === "INVALID_REQUESTER_INFO" ? "INVALID_REQUESTER_INFO" : undefined;
}

function isWellFormed(countryCode: StateCode, national: string): boolean {
  return checkVatNumber({ countryCode, national }).wellFormed;
}

const IDENTIFIER_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The consultation number, another one for every request; empty when no requester asked for one. */
function identifierFor({ requester }: CheckRequest): string {
  if (requester === undefined) return "";
  const characters = Array.from({ length: 8 }, () => IDENTIFIER_CHARACTERS.charAt(randomInt(62)));
  return `WAPIAAAA${characters.join("")}`;
}

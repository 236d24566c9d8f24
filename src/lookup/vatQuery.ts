import { type CheckedVatNumber, compactVat, isVatNumber, parseVatNumber } from "../vat/numbers/parse.ts";
import type { Requester } from "../vat/vies/upstream.ts";

/** A VAT number to validate, and the requester, if any. */
export interface VatQuery {
  readonly number: CheckedVatNumber;
  readonly requester: Requester | undefined;
}

/** Why a request is invalid; the message contains no part of a number. */
export interface InvalidVatQuery {
  readonly wrongPart: "number" | "requester";
  readonly message: string;
}

/** A number of the EU's one-stop shop, which belongs to no state; VIES accepts it as a requester only. */
const ONE_STOP_SHOP = /^EU([0-9]{9})$/;

const BAD_REQUESTER: InvalidVatQuery = {
  wrongPart: "requester",
  message:
    "requester must be a VAT number of an EU state, of Northern Ireland or of the one-stop shop: give your own, with its country code",
};

/** Parses the caller's input: lenient about separators and case, strict about the rest. */
export function parseVatQuery(vatNumber: string, requester: string | undefined): VatQuery | InvalidVatQuery {
  const number = parseVatNumber(vatNumber);
  if (!isVatNumber(number)) return { wrongPart: "number", message: number.message };
  const parsed = requester === undefined ? undefined : readRequester(requester);
  return parsed === "bad" ? BAD_REQUESTER : { number, requester: parsed };
}

function readRequester(text: string): Requester | "bad" {
  const number = parseVatNumber(text);
  if (isVatNumber(number)) return number.check.isMalformed ? "bad" : number;
  const [, oneStopShop] = ONE_STOP_SHOP.exec(compactVat(text).replaceAll("+", "")) ?? [];
  return oneStopShop === undefined ? "bad" : { countryCode: "EU", national: oneStopShop };
}

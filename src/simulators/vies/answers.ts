import { STATE_CODES, type StateCode } from "../../vat/numbers/states.ts";
import type { Reply } from "../transport.ts";
import type { Trader } from "./registry.ts";
import { type CheckRequest, TRADER_FIELDS, type TraderField } from "./request.ts";
import { shownBy, WITHHELD } from "./shapes.ts";

/** What VIES says of a number: with these fields, in this order. */
interface Verdict {
  readonly valid: boolean;
  /** Empty when no requester was given. */
  readonly requestIdentifier: string;
  readonly name: string;
  readonly address: string;
}

/** The first seven fields: all that the test service answers. Echoes the number as it was sent. */
export function shortAnswer(request: CheckRequest, verdict: Verdict): Reply {
  const { countryCode, vatNumber } = request;
  const { valid, requestIdentifier, name, address } = verdict;
  const requestDate = new Date().toISOString();
  return {
    status: 200,
    body: { countryCode, vatNumber, requestDate, valid, requestIdentifier, name, address },
  };
}

/** The whole answer of `check-vat-number`. */
export function fullAnswer(
  request: CheckRequest,
  state: StateCode,
  verdict: Verdict,
  trader?: Trader,
): Reply {
  const { status, body } = shortAnswer(request, verdict);
  return { status, body: { ...body, ...traderPart(request, state, trader) } };
}

/** Name and address of a registered trader, or of none. */
export function shown(state: StateCode, trader: Trader | undefined): { name: string; address: string } {
  return trader === undefined ? { name: WITHHELD, address: WITHHELD } : shownBy(state, trader);
}

/**
 * The fields about the trader whose details a caller supplied. Recorded: Spain compares them and echoes those it got, Germany
 * gives the name only, the Czech Republic ignores them; all the others are taken to be like the last.
 */
function traderPart(
  { traders }: CheckRequest,
  state: StateCode,
  trader: Trader | undefined,
): Readonly<Record<string, string>> {
  const named: readonly TraderField[] = state === "DE" ? ["traderName"] : TRADER_FIELDS;
  const compares = state === "ES" && trader !== undefined;
  const echoed = state === "ES" ? named.filter((field) => traders[field] !== undefined) : named;
  return Object.fromEntries([
    ...echoed.map((field) => [field, state === "ES" ? (traders[field] ?? WITHHELD) : WITHHELD]),
    ...named.map((field) => [
      `${field}Match`,
      compares ? matchOf(traders[field], ofTrader(trader, field)) : "NOT_PROCESSED",
    ]),
  ]);
}

function matchOf(supplied: string | undefined, known: string): "VALID" | "INVALID" | "NOT_PROCESSED" {
  if (supplied === undefined) return "NOT_PROCESSED";
  return supplied.trim().toUpperCase() === known.toUpperCase() ? "VALID" : "INVALID";
}

function ofTrader(trader: Trader, field: TraderField): string {
  const known: Readonly<Record<TraderField, string>> = {
    traderName: trader.name,
    traderStreet: `${trader.street} ${trader.houseNumber}`,
    traderPostalCode: trader.postalCode,
    traderCity: trader.city,
    traderCompanyType: "",
  };
  return known[field];
}

/** Codes that come with a status of their own, and with a message. Every other one comes with 200 and bare, as recorded. */
const ODD_CODES: Readonly<Record<string, { readonly status?: number; readonly message: string }>> = {
  "VOW-ERR-1": {
    status: 500,
    message: "An unexpected error occurred. Please retry later or contact the support team.",
  },
  "VOW-ERR-11": { status: 400, message: "A mandatory field is missing" },
  "VOW-ERR-2600": { message: "The Vat number does not respect the configured pattern" },
};

/** The envelope of an error, with the HTTP status that VIES gives to this code unless another is wanted. */
export function errorAnswer(code: string, status?: number): Reply {
  const odd = Object.hasOwn(ODD_CODES, code) ? ODD_CODES[code] : undefined;
  const wrapper = odd === undefined ? { error: code } : { error: code, message: odd.message };
  return {
    status: status ?? odd?.status ?? 200,
    body: { actionSucceed: false, errorWrappers: [wrapper] },
  };
}

/** The answer of `check-status`. */
export function statusAnswer(isAvailable: boolean, isStateAvailable: (state: StateCode) => boolean): Reply {
  const countries = STATE_CODES.map((countryCode) => ({
    countryCode,
    availability: isStateAvailable(countryCode) ? "Available" : "Unavailable",
  }));
  return { status: 200, body: { vow: { available: isAvailable }, countries } };
}

import { STATE_CODES, type StateCode } from "../../vat/numbers/states.ts";
import type { Reply } from "../simulator/sending.ts";
import { type Shown, WITHHELD } from "./traders.ts";

/** A request as it was sent, not yet checked. */
export interface CheckRequest {
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requester?: { readonly countryCode: string; readonly vatNumber: string };
}

const TRADER_FIELDS = [
  "traderName",
  "traderStreet",
  "traderPostalCode",
  "traderCity",
  "traderCompanyType",
] as const;

/**
 * The result for a number: of a registered trader, or of an unknown number without one. It echoes the number as it was
 * sent. The trader fields compare details that a caller can send; Opzoek sends none, so nothing is compared.
 * @param requestIdentifier empty when the request names no requester
 */
export function resultAnswer(request: CheckRequest, requestIdentifier: string, trader?: Shown): Reply {
  const { countryCode, vatNumber } = request;
  const { name, address } = trader ?? { name: WITHHELD, address: WITHHELD };
  const requestDate = new Date().toISOString();
  // Recorded: Germany has only the name, Spain shows only what a caller sent, all others have every field.
  const compared = countryCode === "DE" ? (["traderName"] as const) : TRADER_FIELDS;
  const shown = countryCode === "ES" ? [] : compared;
  const traderFields = [
    ...shown.map((field) => [field, WITHHELD] as const),
    ...compared.map((field) => [`${field}Match`, "NOT_PROCESSED"] as const),
  ];
  return {
    status: 200,
    body: {
      countryCode,
      vatNumber,
      requestDate,
      valid: trader !== undefined,
      requestIdentifier,
      name,
      address,
      ...Object.fromEntries(traderFields),
    },
  };
}

/** Errors that have a status or a message. All others come with 200 and no message, as recorded. */
const SPECIAL_ERRORS: Readonly<Record<string, { readonly status?: number; readonly message: string }>> = {
  "VOW-ERR-1": {
    status: 500,
    message: "An unexpected error occurred. Please retry later or contact the support team.",
  },
  "VOW-ERR-11": { status: 400, message: "A mandatory field is missing" },
  "VOW-ERR-2600": { message: "The Vat number does not respect the configured pattern" },
};

/** An error as VIES sends it, with the HTTP status that comes with its code unless another is given. */
export function errorAnswer(code: string, status?: number): Reply {
  const special = Object.hasOwn(SPECIAL_ERRORS, code) ? SPECIAL_ERRORS[code] : undefined;
  const wrapper = special === undefined ? { error: code } : { error: code, message: special.message };
  return {
    status: status ?? special?.status ?? 200,
    body: { actionSucceed: false, errorWrappers: [wrapper] },
  };
}

/** The response of `check-status`. */
export function statusAnswer(isAvailable: boolean, isStateAvailable: (state: StateCode) => boolean): Reply {
  const countries = STATE_CODES.map((countryCode) => ({
    countryCode,
    availability: isStateAvailable(countryCode) ? "Available" : "Unavailable",
  }));
  return { status: 200, body: { vow: { available: isAvailable }, countries } };
}

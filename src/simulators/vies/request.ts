/** Details of a trader that a caller may have compared, in the order of the contract. */
export const TRADER_FIELDS = [
  "traderName",
  "traderStreet",
  "traderPostalCode",
  "traderCity",
  "traderCompanyType",
] as const;
export type TraderField = (typeof TRADER_FIELDS)[number];

/** What a caller of VIES asks, read but not judged: each text as it was sent. */
export interface CheckRequest {
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requester?: { readonly countryCode: string; readonly vatNumber: string };
  readonly traders: Readonly<Partial<Record<TraderField, string>>>;
}

/** A body that VIES refuses before it looks at what the fields say. */
export interface Unreadable {
  readonly code: "VOW-ERR-1" | "VOW-ERR-11";
}

/**
 * Reads the body of a POST. VOW-ERR-11 when a mandatory field is missing, which is also said when only one of the two
 * requester fields is there. What VIES says to text that is no JSON is not recorded: VOW-ERR-1 is assumed.
 */
export function readCheckRequest(text: string): CheckRequest | Unreadable {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { code: "VOW-ERR-1" };
  }
  const fields: Readonly<Record<string, unknown>> =
    typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  const given = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const countryCode = given("countryCode");
  const vatNumber = given("vatNumber");
  const requesterState = given("requesterMemberStateCode");
  const requesterNumber = given("requesterNumber");
  if (countryCode === undefined || vatNumber === undefined) return { code: "VOW-ERR-11" };
  if ((requesterState === undefined) !== (requesterNumber === undefined)) return { code: "VOW-ERR-11" };
  const traders: Partial<Record<TraderField, string>> = {};
  for (const field of TRADER_FIELDS) {
    const value = given(field);
    if (value !== undefined) traders[field] = value;
  }
  return {
    countryCode,
    vatNumber,
    ...(requesterState !== undefined &&
      requesterNumber !== undefined && {
        requester: { countryCode: requesterState, vatNumber: requesterNumber },
      }),
    traders,
  };
}

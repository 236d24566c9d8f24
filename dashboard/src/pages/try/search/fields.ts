import type { AskedSearch } from "../../../api/publicApi.ts";

/** The values of the form; an empty text does not filter. */
export type SearchFields = Omit<AskedSearch, "page">;

export const EMPTY: SearchFields = {
  q: "",
  city: "",
  postalCode: "",
  legalForm: "",
  sbiCode: "",
  isActive: "",
  pageSize: 10,
};
export const PAGE_SIZES = [10, 25, 50, 100] as const;

const POSTAL_CODE = /^([0-9]{1,4}|[0-9]{4} ?[A-Za-z]{1,2})$/;
const SBI_CODE = /^[0-9]{1,6}$/;

/** The fields as they are sent, without surrounding spaces. */
export function trimmed(fields: SearchFields): SearchFields {
  const { q, city, postalCode, sbiCode } = fields;
  return {
    ...fields,
    q: q.trim(),
    city: city.trim(),
    postalCode: postalCode.trim(),
    sbiCode: sbiCode.replace(/[\s.]/g, ""),
  };
}

export interface FieldFaults {
  readonly isEmpty: boolean;
  readonly q: boolean;
  readonly postalCode: boolean;
  readonly sbiCode: boolean;
}

/** The trimmed fields that the API would refuse. */
export function faultsOf({ q, city, postalCode, legalForm, sbiCode, isActive }: SearchFields): FieldFaults {
  return {
    isEmpty: [q, city, postalCode, legalForm, sbiCode, isActive].every((value) => value === ""),
    q: q.length === 1,
    postalCode: postalCode !== "" && !POSTAL_CODE.test(postalCode),
    sbiCode: sbiCode !== "" && !SBI_CODE.test(sbiCode),
  };
}

/** Whether there is a filter that KVK's own search lacks; it is used when there is no registry. */
export function isBeyondLive({ postalCode, legalForm, sbiCode, isActive }: SearchFields): boolean {
  return postalCode !== "" || legalForm !== "" || sbiCode !== "" || isActive === "false";
}

import type { SearchQuery } from "../../../api/publicApi.ts";

/** The values of the form; an empty text does not filter. */
export type SearchFields = Omit<SearchQuery, "page">;

export const EMPTY: SearchFields = {
  q: "",
  city: "",
  postalCode: "",
  legalForm: "",
  sbiCode: "",
  sbiVersion: "",
  isActive: "",
  insolvent: "",
  pageSize: 10,
};
export const PAGE_SIZES = [10, 25, 50, 100] as const;

const FORMATS = {
  q: /^..+$/,
  postalCode: /^([0-9]{1,4}|[0-9]{4} ?[A-Za-z]{1,2})$/,
  sbiCode: /^[0-9]{1,6}$/,
} as const;

/** Returns the fields without surrounding spaces, as they are sent. */
export function trimmed(fields: SearchFields): SearchFields {
  const { q, city, postalCode, sbiCode, sbiVersion } = fields;
  const digits = sbiCode.replace(/[\s.]/g, "");
  return {
    ...fields,
    q: q.trim(),
    city: city.trim(),
    postalCode: postalCode.trim(),
    sbiCode: digits,
    sbiVersion: digits === "" ? "" : sbiVersion,
  };
}

/** Whether the API would refuse a trimmed field. */
export function isRefused(name: keyof typeof FORMATS, fields: SearchFields): boolean {
  return fields[name] !== "" && !FORMATS[name].test(fields[name]);
}

/** Whether there is no criterion; insolvency alone is none. */
export function isBlank({ pageSize, insolvent, ...fields }: SearchFields): boolean {
  return Object.values(fields).every((value) => value === "");
}

/** Whether there is a filter that KVK's own search lacks; it is used when there is no registry. */
export function isBeyondLive({ postalCode, legalForm, sbiCode, isActive }: SearchFields): boolean {
  return postalCode !== "" || legalForm !== "" || sbiCode !== "" || isActive === "false";
}

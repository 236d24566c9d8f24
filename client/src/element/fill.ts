import type { AutocompleteItem, Company } from "../api/resources.ts";

/** The chosen company: the hit, or the result of a lookup. */
export type Known = Pick<AutocompleteItem, "kvkNumber" | "name"> &
  Partial<Pick<AutocompleteItem, "city"> & Pick<Company, "address" | "registrationDate">>;

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The text that was filled into a field, to distinguish it from typed text. */
const written = new WeakMap<Field, string>();

const FILLED = "[data-opzoek-fill]:is(input:not([type=file],[type=checkbox],[type=radio]),select,textarea)";

function valuesOf(known: Known): Readonly<Record<string, string | undefined>> {
  const { kvkNumber, name, registrationDate } = known;
  const { street, houseNumber, postalCode, country, city = known.city } = known.address ?? {};
  const addressLine = [street, houseNumber].filter(Boolean).join(" ") || undefined;
  return { kvkNumber, name, registrationDate, street, houseNumber, addressLine, postalCode, city, country };
}

/**
 * Fills the form's fields from a hit, and empties fields of the previous company that this one has no value for.
 * @returns a function that fills them from a lookup, except for fields that changed in between, and returns the filled
 * ones
 */
export function fill(form: HTMLFormElement | null, hit: Known): (more: Known) => readonly string[] {
  const fields = fieldsOf(form);
  const valueIn = (field: Field, known: Known) => valuesOf(known)[field.dataset["opzoekFill"] ?? ""];
  for (const field of fields) {
    const value = valueIn(field, hit) ?? (written.get(field) === field.value ? "" : undefined);
    if (value !== undefined) write(field, value);
  }
  const left = new Map(fields.map((field) => [field, field.value]));
  return (more) =>
    fields.flatMap((field) => {
      const value = valueIn(field, more);
      if (value === undefined) return [];
      if (field.value === left.get(field)) write(field, value);
      return field.value === value ? [field.dataset["opzoekFill"] ?? ""] : [];
    });
}

/** Empties the filled fields, except for those a person has changed. */
export function empty(form: HTMLFormElement | null): void {
  for (const field of fieldsOf(form)) if (written.get(field) === field.value) write(field, "");
}

function fieldsOf(form: HTMLFormElement | null): readonly Field[] {
  return [...(form?.elements ?? [])].filter((field): field is Field => field.matches(FILLED));
}

/**
 * Sets a value as typing does. Uses the prototype's setter, because React's own on the field would hide the change from
 * React.
 */
function write(field: Field, value: string): void {
  if (field.value === value) return;
  if (field instanceof HTMLSelectElement && ![...field.options].some((option) => option.value === value))
    return;
  Reflect.set(Object.getPrototypeOf(field), "value", value, field);
  written.set(field, field.value);
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
}

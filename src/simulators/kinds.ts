/** A field of a fault. */
export interface Field {
  readonly isOptional?: true;
  readonly isRight: (value: unknown) => boolean;
  readonly rule: string;
}

/** The fields that each kind of fault has beside `kind`. */
export type Kinds<Kind extends string> = Readonly<Record<Kind, Readonly<Record<string, Field>>>>;

export const wholeNumber = (least: number, most: number): Field => ({
  isRight: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  rule: `a whole number from ${least} to ${most}`,
});
export const matching = (pattern: RegExp, rule: string): Field => ({
  isRight: (value) => typeof value === "string" && pattern.test(value),
  rule,
});
export const optional = (field: Field): Field => ({ ...field, isOptional: true });

export const MS = wholeNumber(0, 600_000);
export const STATUS = wholeNumber(200, 599);
export const COUNT = wholeNumber(1, 1_000_000);

/** Why a value is no fault of these kinds, with what would be right; undefined when it is one. */
export function problemIn(kinds: Kinds<string>, value: unknown): string | undefined {
  const given: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null ? { ...value } : {};
  const known = Object.keys(kinds);
  const kind = known.find((one) => one === given["kind"]);
  const fields = kind === undefined ? undefined : kinds[kind];
  if (fields === undefined) return `A fault is {"kind": K}, with K one of ${known.join(", ")}.`;
  const names = Object.keys(fields);
  const strange = Object.keys(given).some((name) => name !== "kind" && !names.includes(name));
  if (strange) return `A fault of the kind ${kind} has ${["kind", ...names].join(", ")} and nothing else.`;
  const wrong = Object.entries(fields).find(
    ([name, { isOptional, isRight }]) => !(isOptional && given[name] === undefined) && !isRight(given[name]),
  );
  return wrong === undefined ? undefined : `${wrong[0]} of the kind ${kind} must be ${wrong[1].rule}.`;
}

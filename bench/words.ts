/** How the options of the commands here are read. Each throws an Error with a line for the person who called the command. */

export function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} must be a number above 0`);
  return value;
}

export function wholeNumber(option: string, text: string): number {
  const value = positive(option, text);
  if (!Number.isSafeInteger(value)) throw new Error(`${option} must be a whole number`);
  return value;
}

export function named<T extends { readonly name: string }>(what: string, all: readonly T[], name: string): T {
  const found = all.find((candidate) => candidate.name === name);
  if (found === undefined) {
    throw new Error(
      `there is no ${what} "${name}"; there are ${all.map((candidate) => candidate.name).join(", ")}`,
    );
  }
  return found;
}

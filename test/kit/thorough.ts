/**
 * Whether everything is tried: `THOROUGH=1 npm test`. Files named `*.thorough.test.ts` run only then; the others try with
 * {@link amount} and {@link thoroughly} less in an ordinary run.
 */
export const IS_THOROUGH = process.env["THOROUGH"] === "1";

/**
 * How much is tried of what differs by its number or its moment alone. An ordinary run tries so much that what is wrong shows soon, and what
 * is wrong seldom shows to one of many runs.
 */
export function amount({ ordinary, thorough }: { ordinary: number; thorough: number }): number {
  return IS_THOROUGH ? thorough : ordinary;
}

/** Registers tests that only a thorough run runs: variants of a guarantee that another test holds in every run. */
export function thoroughly(register: () => void): void {
  if (IS_THOROUGH) register();
}

/** The variants of a guarantee to try: all of them in a thorough run, else the named few. */
export function variants<T>(all: readonly T[], isOrdinary: (variant: T) => boolean): readonly T[] {
  return IS_THOROUGH ? all : all.filter(isOrdinary);
}

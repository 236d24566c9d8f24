/**
 * Whether all variants run: `THOROUGH=1 npm test`. Files named `*.thorough.test.ts` run only then; `thorough.ts`
 * reduces the others in an ordinary run.
 */
export const IS_THOROUGH = process.env["THOROUGH"] === "1";

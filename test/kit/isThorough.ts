/**
 * Whether everything is tried: `THOROUGH=1 npm test`. Files named `*.thorough.test.ts` run only then; the others try less in an ordinary
 * run, by `thorough.ts`.
 */
export const IS_THOROUGH = process.env["THOROUGH"] === "1";

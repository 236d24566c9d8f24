/** What the processes of `killed.test.ts` run. */
export { generateCompanies } from "../../src/demo/generateCompanies.ts";
export { importFacts } from "../../src/registry/importFacts.ts";

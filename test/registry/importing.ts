/** The code run by the processes of `killed.test.ts`. */
export { generateCompanies } from "../../src/demo/registry/generateCompanies.ts";
export { importFacts } from "../../src/registry/importFacts.ts";

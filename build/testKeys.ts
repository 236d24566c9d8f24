import { ERRORS } from "../src/contract/errors.ts";
import { TEST_COMPANIES } from "../src/lookup/sandbox/companies.ts";
import {
  NO_COMPANY,
  REFUSED_REQUESTER,
  TEST_MATCHES,
  TEST_OUTCOMES,
  TEST_QUERIES,
  TEST_VAT_NUMBERS,
} from "../src/lookup/sandbox/outcomes.ts";

/** A table of test data, in Markdown. */
interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const code = (text: string) => `\`${text}\``;

/** The generated tables of `docs/test-keys.md`. */
export const TEST_KEY_TABLES: Readonly<Record<string, Table>> = {
  companies: {
    head: ["KVK number", "name", "outcome"],
    rows: TEST_COMPANIES.map(({ facts, shows }) => [code(facts.kvkNumber), facts.name, shows]),
  },
  vatNumbers: {
    head: ["VAT number", "outcome"],
    rows: [
      ...TEST_VAT_NUMBERS.map(({ vatNumber, shows }) => [code(vatNumber), shows]),
      ["–", "any other number: not valid"],
      [
        code(REFUSED_REQUESTER),
        "as `requester`: INVALID_REQUEST, because VIES rejects it; any other returns a `consultationNumber`",
      ],
    ],
  },
  errors: {
    head: ["KVK number", "VAT number", "code", "status", "outcome"],
    rows: [
      [code(NO_COMPANY), "–", code("NOT_FOUND"), "404", "no such company, like any number not listed here"],
      ...TEST_OUTCOMES.map(({ kvkNumber, vatNumber, code: error, shows }) => [
        code(kvkNumber),
        code(vatNumber),
        code(error),
        String(ERRORS[error].status),
        shows,
      ]),
    ],
  },
  queries: {
    head: ["query", "outcome"],
    rows: TEST_QUERIES.map(({ q, shows }) => [code(q), shows]),
  },
  matches: {
    head: ["name", "decision", "outcome"],
    rows: TEST_MATCHES.map(({ name, decision, shows }) => [code(name), code(decision), shows]),
  },
};

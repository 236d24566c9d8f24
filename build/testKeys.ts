import { ERRORS } from "../src/contract/errors.ts";
import { TEST_COMPANIES } from "../src/sandbox/companies.ts";
import {
  NO_COMPANY,
  REFUSED_REQUESTER,
  TEST_OUTCOMES,
  TEST_QUERIES,
  TEST_VAT_NUMBERS,
} from "../src/sandbox/outcomes.ts";

/** A table of the sandbox: its head and its rows, in Markdown. */
interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const code = (text: string) => `\`${text}\``;

/** The tables of `docs/test-keys.md`. */
export const TEST_KEY_TABLES: Readonly<Record<string, Table>> = {
  companies: {
    head: ["KVK number", "name", "what it shows"],
    rows: TEST_COMPANIES.map(({ facts, shows }) => [code(facts.kvkNumber), facts.name, shows]),
  },
  vatNumbers: {
    head: ["VAT number", "what it shows"],
    rows: [
      ...TEST_VAT_NUMBERS.map(({ vatNumber, shows }) => [code(vatNumber), shows]),
      ["–", "any other number: not valid"],
      [
        code(REFUSED_REQUESTER),
        "as `requester`: INVALID_REQUEST, because VIES refuses it; any other returns a `consultationNumber`",
      ],
    ],
  },
  errors: {
    head: ["KVK number", "VAT number", "code", "status", "what it shows"],
    rows: [
      [
        code(NO_COMPANY),
        "–",
        code("NOT_FOUND"),
        "404",
        "no company has it; so for any other number not listed here",
      ],
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
    head: ["query", "what it shows"],
    rows: TEST_QUERIES.map(({ q, shows }) => [code(q), shows]),
  },
};

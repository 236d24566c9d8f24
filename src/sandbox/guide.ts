import { ERRORS } from "../contract/errors.ts";
import { TEST_COMPANIES } from "./companies.ts";
import { NO_COMPANY, TEST_OUTCOMES } from "./outcomes.ts";
import { TEST_QUERIES } from "./queries.ts";
import type { Said } from "./said.ts";
import { REFUSED_REQUESTER, TEST_VAT_NUMBERS } from "./vatNumbers.ts";

type Language = keyof Said;

const HEADS = {
  en: {
    companies: ["KVK number", "name", "what it shows"],
    vatNumbers: ["VAT number", "what it shows"],
    errors: ["KVK number", "VAT number", "code", "status", "what it shows"],
    queries: ["what is typed", "what it shows"],
  },
  nl: {
    companies: ["KVK-nummer", "naam", "wat het laat zien"],
    vatNumbers: ["btw-nummer", "wat het laat zien"],
    errors: ["KVK-nummer", "btw-nummer", "code", "status", "wat het laat zien"],
    queries: ["wat er getypt wordt", "wat het laat zien"],
  },
} as const;

const BESIDE = {
  noCompany: {
    en: "no company has it, nor any other number that is not here",
    nl: "geen bedrijf heeft het, net als elk ander nummer dat hier niet staat",
  },
  otherVatNumber: { en: "any other number: not valid", nl: "elk ander nummer: niet geldig" },
  refused: {
    en: "as `requester`: INVALID_REQUEST, as VIES refuses it; any other gives a `consultationNumber`",
    nl: "als `requester`: INVALID_REQUEST, want VIES weigert het; elk ander geeft een `consultationNumber`",
  },
} as const satisfies Readonly<Record<string, Said>>;

/** The tables of the sandbox for the docs page, in Markdown. */
export function testKeyTables(language: Language): Readonly<Record<keyof (typeof HEADS)["en"], string>> {
  const heads = HEADS[language];
  return {
    companies: table(
      heads.companies,
      TEST_COMPANIES.map(({ facts, shows }) => [`\`${facts.kvkNumber}\``, facts.name, shows[language]]),
    ),
    vatNumbers: table(heads.vatNumbers, [
      ...TEST_VAT_NUMBERS.map(({ vatNumber, shows }) => [`\`${vatNumber}\``, shows[language]]),
      ["–", BESIDE.otherVatNumber[language]],
      [`\`${REFUSED_REQUESTER}\``, BESIDE.refused[language]],
    ]),
    errors: table(heads.errors, [
      [`\`${NO_COMPANY}\``, "–", "`NOT_FOUND`", "404", BESIDE.noCompany[language]],
      ...TEST_OUTCOMES.map(({ kvkNumber, vatNumber, code, shows }) => [
        `\`${kvkNumber}\``,
        `\`${vatNumber}\``,
        `\`${code}\``,
        String(ERRORS[code].status),
        shows[language],
      ]),
    ]),
    queries: table(
      heads.queries,
      TEST_QUERIES.map(({ q, shows }) => [`\`${q}\``, shows[language]]),
    ),
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Names of BVs, NVs, SEs (European companies), EESVs (economic interest groupings), funds and foreign companies. */
import { type Random, splitList } from "../random.ts";
import { brandName, houseName } from "../words/fantasy.ts";
import { familyName, familyNameAlone, personWithInitials } from "../words/people.ts";
import { HOLDINGS, SERVICES, SHOPS_AND_CRAFTS } from "../words/trades.ts";
import { type Naming, type Pattern, pickPattern, withPrefix, withSuffix, yearOrNumber } from "./naming.ts";

const HOLDING_NAMES: readonly Pattern[] = [
  { share: 0.34, make: (random, { word }) => `${personWithInitials(random)} ${word}` },
  { share: 0.22, make: (random, { word }) => `${brandName(random)} ${word}` },
  { share: 0.16, make: (random, { word }) => `${familyNameAlone(random)} ${word}` },
  { share: 0.12, make: (random, { word }, home) => `${familyNameAlone(random)} ${word} ${home}` },
  {
    share: 0.1,
    make: (random, { word }) => `${familyNameAlone(random)} & ${familyNameAlone(random)} ${word}`,
  },
  { share: 0.06, make: (random, { word }) => `${houseName(random)} ${word}` },
];
const OPERATING_NAMES: readonly Pattern[] = [
  { share: 0.3, make: (random, { word }) => `${brandName(random)} ${word}` },
  { share: 0.16, make: (random, { word }, home) => `${familyNameAlone(random)} ${word} ${home}` },
  {
    share: 0.14,
    make: (random, { word }) => `${familyNameAlone(random)} & ${familyNameAlone(random)} ${word}`,
  },
  { share: 0.12, make: (random, { word }) => `${familyNameAlone(random)} ${word}` },
  { share: 0.1, make: (random, { word }) => `${brandName(random)} ${word} Nederland` },
  { share: 0.1, make: (random) => `${brandName(random)} ${brandName(random)}` },
  { share: 0.08, make: (random, { word }) => `${brandName(random)} ${word} ${yearOrNumber(random)}` },
];
const CRAFT_COMPANY_NAMES: readonly Pattern[] = [
  { share: 0.3, make: (random, { word }, home) => `${word} ${familyName(random)} ${home}` },
  { share: 0.2, make: (random, { word }) => `${word} ${familyNameAlone(random)}` },
  { share: 0.2, make: (random, { word }, home) => `${word} Gebr. ${familyName(random)} ${home}` },
  { share: 0.15, make: (random, { word }, home) => `${word} ${houseName(random)} ${home}` },
  { share: 0.15, make: (random, { word }) => `${word} ${brandName(random)}` },
];

function companyName(random: Random, home: string): Pick<Naming, "spokenName" | "sbiCodes"> {
  const draw = random.fraction();
  const { patterns, trades } =
    draw < 0.42
      ? { patterns: HOLDING_NAMES, trades: HOLDINGS }
      : draw < 0.74
        ? { patterns: OPERATING_NAMES, trades: SERVICES }
        : { patterns: CRAFT_COMPANY_NAMES, trades: SHOPS_AND_CRAFTS };
  const trade = random.pick(trades);
  return {
    spokenName: pickPattern(patterns, random).make(random, trade, home),
    sbiCodes: trade.sbiCodes,
  };
}

export function privateCompany(random: Random, home: string): Naming {
  const { spokenName, sbiCodes } = companyName(random, home);
  const draw = random.fraction();
  if (draw < 0.02) return withPrefix("B.V.", spokenName, sbiCodes);
  return withSuffix(spokenName, draw < 0.12 ? "BV" : "B.V.", sbiCodes);
}

export function publicCompany(random: Random, home: string): Naming {
  const { spokenName, sbiCodes } = companyName(random, home);
  return random.chance(0.15)
    ? withPrefix("N.V.", spokenName, sbiCodes)
    : withSuffix(spokenName, "N.V.", sbiCodes);
}

export function europeanCompany(random: Random): Naming {
  return withSuffix(`${brandName(random)} ${random.pick(["Europe", "Holding", "Group"])}`, "SE", ["64210"]);
}

export function economicInterestGrouping(random: Random): Naming {
  const name = `${brandName(random)} ${random.pick(["Research", "Transport", "Notaires", "Energie"])}`;
  return withSuffix(name, random.chance(0.5) ? "EESV" : "E.E.S.V.", ["82990"]);
}

export function mutualFund(random: Random): Naming {
  const name = `${brandName(random)} ${random.pick(["Aandelenfonds", "Obligatiefonds", "Vastgoedfonds", "Mixfonds"])}`;
  return random.chance(0.5)
    ? withPrefix("Fonds voor Gemene Rekening", name, ["64310"])
    : withSuffix(name, "FGR", ["64310"]);
}

const FOREIGN_FORMS = splitList(`
Ltd., Limited, GmbH, S.à r.l., S.A., Inc., LLC, Sp. z o.o., S.r.l., A/S, AB, plc, AG, SRL, GmbH & Co. KG, d.o.o.
`);

export function foreignCompany(random: Random): Naming {
  const { word, sbiCodes } = random.pick(SERVICES);
  const name = random.chance(0.5)
    ? `${brandName(random)} ${brandName(random)}`
    : `${brandName(random)} ${word}`;
  return withSuffix(name, random.pick(FOREIGN_FORMS), sbiCodes);
}

/** Names of enterprises without legal personality: sole traders, partnerships, shipping companies. */
import type { Random } from "../random.ts";
import { brandName, houseName, properName, smallHouseName } from "../words/fantasy.ts";
import {
  familyName,
  familyNameAlone,
  givenName,
  personByGivenName,
  personWithInitials,
} from "../words/people.ts";
import { PRACTICES, SERVICES, SHOPS_AND_CRAFTS } from "../words/trades.ts";
import {
  type Naming,
  type Pattern,
  pickPattern,
  plainly,
  withPrefix,
  withSuffix,
  yearOrNumber,
} from "./naming.ts";

const CRAFT_NAMES: readonly Pattern[] = [
  { share: 0.2, make: (random, { word }) => `${word} ${personWithInitials(random)}` },
  { share: 0.12, make: (random, { word }) => `${word} ${familyNameAlone(random)}` },
  { share: 0.12, make: (random, { word }, home) => `${word} ${familyName(random)} ${home}` },
  { share: 0.12, make: (random, { word }) => `${word} ${personByGivenName(random)}` },
  { share: 0.08, make: (random, { word }) => `${word} ${houseName(random)}` },
  { share: 0.08, make: (random, { word }) => `${givenName(random)}'s ${word}` },
  { share: 0.06, make: (random, { word }, home) => `${word} ${houseName(random)} ${home}` },
  { share: 0.06, make: (random, { word }) => `${word} ${brandName(random)}` },
  {
    share: 0.05,
    make: (random, { word }) => `${word} ${familyNameAlone(random)} & ${familyNameAlone(random)}`,
  },
  { share: 0.04, make: (random, { word }) => `${word} ${smallHouseName(random)}` },
  { share: 0.04, make: (random, { word }, home) => `${word} ${home} ${yearOrNumber(random)}` },
  { share: 0.03, make: (random, _trade, home) => `${smallHouseName(random)} ${home}` },
];

const SERVICE_NAMES: readonly Pattern[] = [
  { share: 0.26, make: (random, { word }) => `${personByGivenName(random)} ${word}` },
  { share: 0.2, make: (random, { word }) => `${brandName(random)} ${word}` },
  { share: 0.14, make: (random) => personWithInitials(random) },
  { share: 0.12, make: (random, { word }) => `${familyNameAlone(random)} ${word}` },
  { share: 0.1, make: (random, { word }) => `${personWithInitials(random)} ${word}` },
  { share: 0.06, make: (random, { word }, home) => `${familyNameAlone(random)} ${word} ${home}` },
  { share: 0.05, make: (random, { word }) => `${givenName(random)} & ${givenName(random)} ${word}` },
  { share: 0.04, make: (random, { word }) => `Studio ${brandName(random)} ${word}` },
  { share: 0.03, make: (random, { word }, home) => `${word} ${home} ${yearOrNumber(random)}` },
];

const PARTNER_NAMES: readonly Pattern[] = [
  {
    share: 0.25,
    make: (random, { word }) => `${word} ${familyNameAlone(random)} en ${familyNameAlone(random)}`,
  },
  { share: 0.2, make: (random, { word }, home) => `${word} Gebroeders ${familyName(random)} ${home}` },
  { share: 0.2, make: (random, { word }, home) => `${word} ${familyName(random)} & Zn. ${home}` },
  { share: 0.2, make: (random, { word }) => `${word} ${familyNameAlone(random)}-${familyNameAlone(random)}` },
  { share: 0.15, make: (random, { word }, home) => `${word} ${houseName(random)} ${home}` },
];

export function soleTrader(random: Random, home: string): Naming {
  const isCraft = random.chance(0.45);
  const trade = random.pick(isCraft ? SHOPS_AND_CRAFTS : SERVICES);
  const pattern = pickPattern(isCraft ? CRAFT_NAMES : SERVICE_NAMES, random);
  return plainly(pattern.make(random, trade, home), trade.sbiCodes);
}

export function partnership(random: Random, home: string): Naming {
  const trade = random.pick(SHOPS_AND_CRAFTS);
  const spoken = pickPattern(PARTNER_NAMES, random).make(random, trade, home);
  if (random.chance(0.25)) {
    return withPrefix(random.chance(0.5) ? "V.O.F." : "VOF", spoken, trade.sbiCodes);
  }
  return random.chance(0.35) ? withSuffix(spoken, "V.O.F.", trade.sbiCodes) : plainly(spoken, trade.sbiCodes);
}

export function professionalPartnership(random: Random, home: string): Naming {
  const { word, sbiCodes } = random.pick(PRACTICES);
  const partners = `${familyNameAlone(random)}-${familyNameAlone(random)}`;
  const draw = random.fraction();
  if (draw < 0.4) return withPrefix("Maatschap", `${word} ${home} ${familyName(random)}`, sbiCodes);
  if (draw < 0.7) return withPrefix("Maatschap", partners, sbiCodes);
  return plainly(
    `${familyNameAlone(random)}, ${familyNameAlone(random)} & ${familyNameAlone(random)} ${word}`,
    sbiCodes,
  );
}

export function limitedPartnership(random: Random, home: string): Naming {
  const draw = random.fraction();
  if (draw < 0.3) return withSuffix(`${brandName(random)} Vastgoed`, "C.V.", ["68203"]);
  if (draw < 0.5) return withSuffix(`Windpark ${properName(random)} ${home}`, "C.V.", ["35121"]);
  if (draw < 0.7) return withPrefix("C.V.", `Scheepvaartonderneming ${properName(random)}`, ["50201"]);
  return withSuffix(`${familyNameAlone(random)} Familiefonds ${yearOrNumber(random)}`, "C.V.", ["64210"]);
}

export function shippingCompany(random: Random): Naming {
  const ship = random.chance(0.5)
    ? `m.s. ${properName(random)}`
    : `${givenName(random)} ${properName(random)}`;
  return plainly(`Rederij ${ship}`, random.chance(0.5) ? ["50201"] : ["50401"]);
}

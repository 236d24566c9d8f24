/** Names of legal persons without shares: foundations, associations, cooperatives, churches, public bodies. */
import { type Random, splitList } from "../random.ts";
import { brandName, houseName, properName } from "../words/fantasy.ts";
import { familyNameAlone, personWithInitials } from "../words/people.ts";
import { INVENTED_PLACES } from "../words/places.ts";
import { STREETS } from "../words/streets.ts";
import { CAUSES, CLUBS } from "../words/trades.ts";
import { type Naming, plainly, withPrefix, withSuffix, yearOrNumber } from "./naming.ts";

export function foundation(random: Random, home: string): Naming {
  const draw = random.fraction();
  if (draw < 0.2) {
    const whose = random.chance(0.5) ? brandName(random) : personWithInitials(random);
    return withPrefix("Stichting", `Administratiekantoor ${whose}`, ["66191"]);
  }
  if (draw < 0.27)
    return withPrefix("Stichting", `Derdengelden ${familyNameAlone(random)} ${brandName(random)}`, ["64999"]);
  if (draw < 0.31) return withPrefix("Stichting", `Pensioenfonds ${brandName(random)}`, ["65302"]);
  const { word, sbiCodes } = random.pick(CAUSES);
  if (draw < 0.6) return withPrefix("Stichting", `${word} ${houseName(random)} ${home}`, sbiCodes);
  if (draw < 0.8) return withPrefix("Stichting", `${word} ${brandName(random)}`, sbiCodes);
  return withSuffix(`${personWithInitials(random)} ${word}`, "Stichting", sbiCodes);
}

export function association(random: Random, home: string): Naming {
  const { word, sbiCodes } = random.pick(CLUBS);
  const draw = random.fraction();
  if (draw < 0.3) return plainly(`${word} ${houseName(random)} ${home}`, sbiCodes);
  if (draw < 0.6)
    return plainly(`${word} ${properName(random)} '${String(random.between(10, 99))} ${home}`, sbiCodes);
  if (draw < 0.8) return plainly(`${word} ${random.pick(INVENTED_PLACES)} ${yearOrNumber(random)}`, sbiCodes);
  return plainly(`${word} ${brandName(random)}`, sbiCodes);
}

/** An owners' association is named after its building: a street with a range of house numbers. */
export function ownersAssociation(random: Random, home: string): Naming {
  const first = random.between(1, 240);
  const last = first + 2 * random.between(1, 60);
  const range = `${first}${random.pick([" t/m ", "-", " tot en met "])}${last}`;
  const building = `${random.pick(STREETS)} ${range}`;
  const where = random.chance(0.7) ? `${building} te ${home}` : building;
  const prefix = random.pick(["Vereniging van Eigenaars", "Vereniging van Eigenaars", "VvE", "V.v.E."]);
  return withPrefix(prefix, where, ["94997"]);
}

export function cooperative(random: Random): Naming {
  const draw = random.fraction();
  const suffix = random.pick(["U.A.", "U.A.", "U.A.", "B.A.", "W.A."]);
  if (draw < 0.4) return withSuffix(`Coöperatie ${brandName(random)}`, suffix, ["70201", "94110"]);
  if (draw < 0.6)
    return withSuffix(`Energiecoöperatie ${random.pick(INVENTED_PLACES)}`, suffix, ["35122", "35150"]);
  if (draw < 0.8) return withSuffix(`Coöperatieve Telersvereniging ${properName(random)}`, suffix, ["46311"]);
  return withSuffix(`${brandName(random)} Coöperatief`, suffix, ["64210"]);
}

export function europeanCooperative(random: Random): Naming {
  return withSuffix(`${brandName(random)} Coöperatie`, "SCE", ["94110"]);
}

export function mutualInsurer(random: Random): Naming {
  const name = `Onderlinge Waarborgmaatschappij ${random.chance(0.5) ? properName(random) : random.pick(INVENTED_PLACES)}`;
  return withSuffix(name, random.chance(0.7) ? "U.A." : "B.A.", ["65121"]);
}

const CHURCHES = splitList(`
Protestantse Gemeente te, Hervormde Gemeente te, Gereformeerde Kerk te, Evangeliegemeente
`);
const PARISHES = splitList(`
Sint Ansfriduskerk, Heilig Hart ter Linde, Sint Odulf, Onze Lieve Vrouw ter Linde, Sint Werenfried
`);

export function church(random: Random): Naming {
  const place = random.pick(INVENTED_PLACES);
  return random.chance(0.7)
    ? plainly(`${random.pick(CHURCHES)} ${place}`, ["94910"])
    : plainly(`Parochie ${random.pick(PARISHES)} ${place}`, ["94910"]);
}

export function publicBody(random: Random): Naming {
  const place = random.pick(INVENTED_PLACES);
  const draw = random.fraction();
  if (draw < 0.4) return plainly(`Gemeente ${place}`, ["84110"]);
  if (draw < 0.7)
    return plainly(`Waterschap ${place} en ${random.pick(INVENTED_PLACES)}`, ["84110", "37000"]);
  if (draw < 0.85) return plainly(`Gemeenschappelijke Regeling Afval ${place}`, ["38110"]);
  return plainly(`Veiligheidsregio ${place}`, ["84240", "84250"]);
}

export function otherPrivateBody(random: Random): Naming {
  const place = random.pick(INVENTED_PLACES);
  if (random.chance(0.5)) return plainly(`Boermarke ${place}`, ["68203"]);
  return plainly(`Schuttersgilde ${houseName(random)} ${place}`, ["94991"]);
}

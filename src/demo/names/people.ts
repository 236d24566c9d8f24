/** Names of people as companies carry them. */
import type { Random } from "../random.ts";
import { FAMILY_NAMES, GIVEN_NAMES, initial } from "../words/people.ts";

/** `van den Berg`: the particle in lower case, as it stands after initials. */
export function familyName(random: Random): string {
  return random.pickSkewed(FAMILY_NAMES);
}

/** `Van den Berg`: with a capital, as the particle is written when nothing of the person's name precedes it. */
export function familyNameAlone(random: Random): string {
  const name = familyName(random);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function givenName(random: Random): string {
  return random.pick(GIVEN_NAMES);
}

/** `J.`, `M.A.`, `P.J.M.` */
export function initials(random: Random): string {
  const first = initial(random.fraction());
  if (random.chance(0.35)) return first;
  const second = first + initial(random.fraction());
  return random.chance(0.7) ? second : second + initial(random.fraction());
}

/** `J.P. van den Berg` */
export function personWithInitials(random: Random): string {
  return `${initials(random)} ${familyName(random)}`;
}

/** `Sanne de Vries` */
export function personByGivenName(random: Random): string {
  return `${givenName(random)} ${familyName(random)}`;
}

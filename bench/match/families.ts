/**
 * Families: companies that share a name but for a word, a number, a letter, a place or the legal form. They are
 * synthetic: the shared name is that of a real company of the tuning half, all else is made up. A third of the members
 * is left out of their registry.
 */
import { crc32 } from "node:zlib";
import type { CompanyFacts } from "../../src/company/facts.ts";
import type { LegalForm } from "../../src/contract/legalForms.ts";
import { kvkNumberOf } from "../../src/contract/numbers.ts";
import type { Address } from "../../src/contract/resources.ts";
import { visitingAddress } from "../../src/demo/registry/addresses.ts";
import { Random } from "../../src/demo/registry/random.ts";
import { known } from "../../src/lib/values.ts";
import type { MatchQuery } from "../../src/match/types.ts";
import type { SnapshotFile } from "../../src/registry/snapshotFile.ts";
import { amongGenerated, openRegistryOf, realFacts } from "../relevance/registry.ts";
import { typedName } from "../relevance/typedName.ts";
import { otherLetter } from "../relevance/typos.ts";
import { type DamageClass, makeTypo } from "./damage.ts";
import type { RealCompany } from "./data.ts";
import type { QuerySet, TestQuery } from "./queries.ts";

const FAMILIES = 360;
/** Members in addition to the one that has the shared name alone. */
const FURTHER_MEMBERS = 7;
const WITHHELD = 1 / 3;
/** The share of members at the address of their family; the others of the same city, or of another one. */
const AT_FAMILY_ADDRESS = 0.5;
const IN_FAMILY_CITY = 0.5;
/** A longer name supports a typo by itself. */
const MAX_SHORT_NAME = 9;
const MIN_SHORT_NAME = 4;
/** Members without a legal form, or with `Stichting` before and `B.V.` behind, would be other companies. */
const MEMBERS: readonly string[] = (
  "X Beheer B.V.,X Holding B.V.,X Groep B.V.,X Vastgoed B.V.,X Participaties B.V.,X Beleggingen B.V.,X Management B.V.,X Exploitatie B.V.," +
  "X Onroerend Goed B.V.,X Pensioen B.V.,X Stamrecht B.V.,X Holdings B.V.,X Transport B.V.,X Advies B.V.,X Verhuur B.V.,X Trading B.V.," +
  "X CITY B.V.,X Nederland B.V.,X Oost B.V.,X Assen B.V.,X Essen B.V.,X I B.V.,X II B.V.,X III B.V.,X IV B.V.,X VIII B.V.,X XIII B.V.,X 1 B.V.,X 2 B.V.," +
  "X Zes B.V.,X 7e B.V.,X Nr. 4 B.V.,X 2019 B.V.,X 2020 B.V.,X A B.V.,X B B.V.,Stichting X,Vereniging X,X N.V.,Coöperatie X U.A.," +
  "Stichting Administratiekantoor X,X Beheer II B.V.,X Holding 2 B.V."
).split(",");

interface Member {
  readonly facts: CompanyFacts;
  readonly address: Address;
  readonly isWithheld: boolean;
  /** Whether its name is one letter from that of another member. */
  readonly isNeighbour: boolean;
}

interface Family {
  /** The first has the shared name alone. */
  readonly members: readonly Member[];
}

/** Returns families of at least three words' worth of letters, in an order that depends only on the names. */
export function makeFamilies(tune: readonly RealCompany[]): readonly Family[] {
  const families: Family[] = [];
  const seen = new Set<string>();
  for (const { name } of tune) {
    const shared = typedName(name).words.join(" ");
    const [first = ""] = shared.toLowerCase().split(" ");
    if (families.length === FAMILIES) break;
    if (seen.has(first) || /[0-9.]/.test(shared) || shared.length < MIN_SHORT_NAME) continue;
    seen.add(first);
    families.push(familyOf(shared, families.length));
  }
  return families;
}

function familyOf(shared: string, nth: number): Family {
  const random = new Random(crc32(`family ${shared}`));
  const home = visitingAddress(random);
  const city = home.address.city ?? "";
  const patterns = new Set<string>();
  while (patterns.size < FURTHER_MEMBERS) patterns.add(random.pick(MEMBERS));
  const names = [...patterns].map((pattern) => pattern.replace("X", () => shared).replace("CITY", city));
  const neighbour = neighbourOf(shared, random);
  const members = [`${shared} B.V.`, ...names, ...(neighbour === undefined ? [] : [`${neighbour} B.V.`])];
  return {
    members: members.map((name, at) => {
      const place = random.chance(IN_FAMILY_CITY)
        ? visitingAddress(random, home.place)
        : visitingAddress(random);
      const { address } = random.chance(AT_FAMILY_ADDRESS) ? home : place;
      const isNeighbour = neighbour !== undefined && (at === 0 || at === members.length - 1);
      return { ...memberOf(name, address, 10 * nth + at, random.chance(WITHHELD)), isNeighbour };
    }),
  };
}

/** A short name with one letter changed; undefined for other names. */
function neighbourOf(shared: string, random: Random): string | undefined {
  if (!/^\p{L}+$/u.test(shared) || shared.length > MAX_SHORT_NAME) return undefined;
  const at = 1 + random.below(shared.length - 1);
  return shared.slice(0, at) + otherLetter(shared[at] ?? "", random) + shared.slice(at + 1);
}

const FORMS: readonly (readonly [RegExp, LegalForm])[] = [
  [/^Stichting /, "STI"],
  [/^Vereniging /, "VER"],
  [/^Coöperatie /, "COOP"],
  [/ N\.V\.$/, "NV"],
  [/ B\.V\.$/, "BV"],
];

function memberOf(
  name: string,
  address: Address,
  nth: number,
  isWithheld: boolean,
): Omit<Member, "isNeighbour"> {
  const legalForm = FORMS.find(([pattern]) => pattern.test(name))?.[1] ?? "BV";
  const facts: CompanyFacts = {
    kvkNumber: kvkNumberOf(100_000 + nth),
    name,
    isActive: true,
    address: { ...address, kind: "visiting" },
    legalForm,
    rsin: String(700_000_000 + nth),
  };
  return { facts, address, isWithheld };
}

/** Opens the registry of families in a folder, and builds it first if the folder has none. */
export function openFamilyRegistry(
  directory: string,
  families: readonly Family[],
  companies: number,
): Promise<SnapshotFile> {
  const present = families.flatMap(({ members }) => members.filter(({ isWithheld }) => !isWithheld));
  const facts = amongGenerated(
    present.map((member) => realFacts(member.facts)),
    companies,
  );
  return openRegistryOf(directory, facts, present.length + companies);
}

const nameOf = ({ facts: { name } }: Member) => ({ name });
const cityOf = ({ address: { city } }: Member) => known("city", city);
const addressOf = ({ address: { postalCode, houseNumber } }: Member): MatchQuery => ({
  ...known("postalCode", postalCode),
  ...known("houseNumber", houseNumber),
});
const rsinOf = ({ facts: { rsin } }: Member) => known("rsin", rsin);
/** Numbers that no company here has. */
const UNKNOWN = { kvkNumber: kvkNumberOf(99_999), rsin: "699999999" };

/** A query about a member; undefined if the class has none. `sister`: another member in the registry. */
type FamilyQuery = (member: Member, sister: Member, random: Random, family: Family) => MatchQuery | undefined;

/** Right is the member itself; any match of a withheld one is wrong. */
const EXACT: readonly (readonly [title: string, query: FamilyQuery])[] = [
  ["exact name, city", (one) => ({ ...nameOf(one), ...cityOf(one) })],
  ["exact name alone", nameOf],
  [
    "exact name, city, postal code and house number",
    (one) => ({ ...nameOf(one), ...cityOf(one), ...addressOf(one) }),
  ],
  [
    "capitals without dots, city",
    (one) => ({ name: one.facts.name.replaceAll(".", "").toUpperCase(), ...cityOf(one) }),
  ],
  [
    "exact name, another city",
    (one, _, random) => ({ ...nameOf(one), ...cityOf({ ...one, ...visitingAddress(random) }) }),
  ],
  [
    "numbered or lettered, exact name, city",
    (one) => (NUMBERED.test(one.facts.name) ? { ...nameOf(one), ...cityOf(one) } : undefined),
  ],
  [
    "one letter apart, exact name, city",
    (one) => (one.isNeighbour ? { ...nameOf(one), ...cityOf(one) } : undefined),
  ],
  ["one letter apart, exact name alone", (one) => (one.isNeighbour ? nameOf(one) : undefined)],
  [
    "its KVK number, exact name",
    (one) => (one.isWithheld ? undefined : { ...nameOf(one), kvkNumber: one.facts.kvkNumber }),
  ],
  [
    "its KVK number, one typo",
    (one, _, random) => {
      const name = makeTypo(typedName(one.facts.name), random);
      return one.isWithheld || name === undefined ? undefined : { name, kvkNumber: one.facts.kvkNumber };
    },
  ],
];

/** Any match is wrong. */
const CONTRADICTING: readonly (readonly [title: string, query: FamilyQuery])[] = [
  [
    "KVK number of a sister, exact name",
    (one, sister) => ({ ...nameOf(one), kvkNumber: sister.facts.kvkNumber }),
  ],
  [
    "KVK number of a sister, exact name, postal code and house number",
    (one, sister) => ({ ...nameOf(one), ...addressOf(one), kvkNumber: sister.facts.kvkNumber }),
  ],
  [
    "RSIN of a sister, exact name, city",
    (one, sister) => ({ ...nameOf(one), ...cityOf(one), ...rsinOf(sister) }),
  ],
  [
    "unknown KVK number, exact name, city",
    (one) => ({ ...nameOf(one), ...cityOf(one), kvkNumber: UNKNOWN.kvkNumber }),
  ],
  ["unknown RSIN, exact name", (one) => ({ ...nameOf(one), rsin: UNKNOWN.rsin })],
  [
    "another legal form, city",
    (one, _, random, family) => ({ ...otherFormOf(one, family, random), ...cityOf(one) }),
  ],
  [
    "another legal form, postal code and house number",
    (one, _, random, family) => ({ ...otherFormOf(one, family, random), ...addressOf(one) }),
  ],
];
const NUMBERED = / (?:[IVX]+|[0-9]+e?|Zes|[AB]) B\.V\.$/;

/** The name with a legal form that gives no member of the family. */
function otherFormOf({ facts: { name } }: Member, { members }: Family, random: Random): MatchQuery {
  const { words } = typedName(name);
  const names = new Set(members.map(({ facts }) => facts.name));
  const forms = ["X B.V.", "X N.V.", "Stichting X", "Vereniging X", "Coöperatie X U.A.", "X GmbH"];
  const others = forms
    .map((form) => form.replace("X", () => words.join(" ")))
    .filter((one) => !names.has(one));
  return { name: random.pick(others) };
}

/** Makes the queries of all classes, those with contradictions as about companies that are not in the registry. */
export function familyQuerySets(families: readonly Family[]): QuerySet[] {
  const setOf = (title: string, make: FamilyQuery, isExact: boolean): QuerySet => {
    const queries = families.flatMap((family) =>
      family.members.flatMap((one): TestQuery[] => {
        const random = new Random(crc32(`${title} ${one.facts.kvkNumber}`));
        const sisters = family.members.filter((other) => other !== one && !other.isWithheld);
        const sister = sisters.length === 0 ? undefined : random.pick(sisters);
        // Neighbours have classes of their own.
        const isLeftOut = !/^one letter/.test(title) && [one, sister].some((member) => member?.isNeighbour);
        const query = sister === undefined || isLeftOut ? undefined : make(one, sister, random, family);
        const truth = isExact && !one.isWithheld ? one.facts.kvkNumber : undefined;
        return query === undefined ? [] : [{ query, truth }];
      }),
    );
    const damage: DamageClass = { id: `family ${title}`, title, variants: ["own"], query: () => undefined };
    return { damage, variant: "own", queries };
  };
  return [
    ...EXACT.map(([title, make]) => setOf(title, make, true)),
    ...CONTRADICTING.map(([title, make]) => setOf(title, make, false)),
  ];
}

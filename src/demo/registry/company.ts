import type { CompanyFacts } from "../../company/facts.ts";
import type { Employees } from "../../contract/employeesResource.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { Activity } from "../../contract/resources.ts";
import { known } from "../../lib/values.ts";
import { foreignAddress, type Location, postBox, shielded, visitingAddress } from "./addresses.ts";
import { furtherBranches, makeBranches } from "./branches.ts";
import { FORMS_BY_SHARE, type FormProfile } from "./forms.ts";
import type { Naming } from "./names/naming.ts";
import { type BranchNumbers, dateOf, laterDay, registrationDay } from "./numbers.ts";
import type { Random } from "./random.ts";
import { brandName } from "./words/fantasy.ts";
import { PLACES_BY_SIZE } from "./words/places.ts";
import { SBI_CODES, SBI_DESCRIPTIONS } from "./words/sbi.ts";
import { SERVICES } from "./words/trades.ts";

export interface Identity {
  readonly kvkNumber: KvkNumber;
  /** Used if its legal form makes it a legal person. */
  readonly rsin: string;
}

/** A company with all the facts that the register could have; an empty list means none, not unknown. */
export function makeCompany(identity: Identity, numbers: BranchNumbers, random: Random): CompanyFacts {
  const profile = random.pick(FORMS_BY_SHARE);
  const { seat, kind } = seatOf(profile, random);
  const naming = profile.namer(random, seat.place?.name ?? random.pick(PLACES_BY_SIZE).name);
  const isActive = !random.chance(0.08);
  const registered = registrationDay(random);
  const isEnterprise = random.chance(profile.enterprise);
  const tradingNames = isEnterprise ? tradingNamesOf(naming, random) : [];
  // Shielding hides a home address; a PO box does not show one.
  const isShielded = kind === "visiting" && random.chance(profile.shieldedAddress);
  const branched = { spokenName: naming.spokenName, tradingNames, seat, isShielded, isActive };
  const further = random.chance(profile.moreBranches) ? furtherBranches(random) : 0;
  const branches = isEnterprise ? makeBranches(branched, further, numbers, random) : [];
  return {
    kvkNumber: identity.kvkNumber,
    name: naming.name,
    isActive,
    address: { ...(isShielded ? shielded(seat.address) : seat.address), kind },
    tradingNames,
    legalForm: profile.form,
    registrationDate: dateOf(registered),
    ...(!isActive && { deregistrationDate: dateOf(laterDay(registered, random)) }),
    ...(profile.isLegalPerson && { statutoryName: statutoryName(naming, random), rsin: identity.rsin }),
    nonMailing: random.chance(0.35),
    ...(isEnterprise && { employees: employees(profile, branches.length, random) }),
    ...(branches[0] !== undefined && { mainBranchNumber: branches[0].branchNumber }),
    branchCount: branches.length,
    websites: random.chance(isEnterprise ? 0.45 : 0.15) ? websitesOf(naming.spokenName, random) : [],
    activities: activitiesOf(naming, isEnterprise, random),
    branches,
  };
}

/** Up to four trading names: often the spoken name, sometimes the name of another service or place. */
function tradingNamesOf({ spokenName }: Naming, random: Random): readonly string[] {
  const names = new Set<string>();
  if (random.chance(0.6)) names.add(spokenName);
  while (names.size < 4 && random.chance(0.2)) {
    const draw = random.fraction();
    if (draw < 0.4) names.add(`${spokenName} ${random.pick(SERVICES).word}`);
    else if (draw < 0.7) names.add(`${brandName(random)} ${random.pick(SERVICES).word}`);
    else names.add(`${spokenName} ${random.pick(PLACES_BY_SIZE).name}`);
  }
  return [...names];
}

/** Usually the name itself; a company that took a new name can keep the old one in its statutes. */
function statutoryName(naming: Naming, random: Random): string {
  if (naming.name === naming.spokenName || !random.chance(0.06)) return naming.name;
  return naming.name.replace(naming.spokenName, `${brandName(random)} ${random.pick(PLACES_BY_SIZE).name}`);
}

function seatOf(
  profile: FormProfile,
  random: Random,
): { seat: Location; kind: "visiting" | "correspondence" } {
  if (random.chance(profile.addressAbroad)) return { seat: foreignAddress(random), kind: "visiting" };
  if (random.chance(0.03)) return { seat: postBox(random), kind: "correspondence" };
  return { seat: visitingAddress(random), kind: "visiting" };
}

/**
 * Mostly small, growing with the number of branches; one in a hundred is large. 40 % work part time; this is absent for
 * one or two people.
 */
function employees({ minStaff, usualStaff }: FormProfile, branches: number, random: Random): Employees {
  const usual = Math.floor(random.fraction() * random.fraction() * (usualStaff + 1));
  const large = random.chance(0.01) ? random.between(10, 40) * usualStaff : 0;
  const total = Math.max(minStaff, (usual + large) * branches);
  const partTime = Math.floor(total * 0.4);
  if (total <= 2) return { total };
  return { total, fullTime: total - partTime, partTime };
}

/** A site, sometimes two, under a domain that cannot be registered (RFC 2606). */
function websitesOf(spokenName: string, random: Random): readonly string[] {
  const label = domainLabel(spokenName);
  const sites = [`${random.chance(0.8) ? "www." : ""}${label}.example`];
  if (random.chance(0.05)) sites.push(`www.${label}-shop.example`);
  return sites;
}

function domainLabel(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f'.]/g, "")
    .replace(/[^a-z0-9]+/g, "-");
  return plain.slice(0, 50).replace(/^-|-$/g, "") || "bedrijf";
}

function activitiesOf({ sbiCodes }: Naming, isEnterprise: boolean, random: Random): readonly Activity[] {
  const codes = new Set(sbiCodes.slice(0, random.between(1, sbiCodes.length)));
  if (isEnterprise && random.chance(0.1)) codes.add(random.pick(SBI_CODES));
  return Array.from(codes, (sbiCode, index) => ({
    sbiCode,
    ...known("description", SBI_DESCRIPTIONS.get(sbiCode)),
    isMain: index === 0,
  }));
}

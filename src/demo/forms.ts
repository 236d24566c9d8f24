/** For every legal form: how many have it, how its companies are named, and what such a company usually has. */
import type { LegalForm } from "../contract/legalForms.ts";
import {
  association,
  church,
  cooperative,
  europeanCooperative,
  foundation,
  mutualInsurer,
  otherPrivateBody,
  ownersAssociation,
  publicBody,
} from "./names/bodies.ts";
import {
  economicInterestGrouping,
  europeanCompany,
  foreignCompany,
  mutualFund,
  privateCompany,
  publicCompany,
} from "./names/companies.ts";
import {
  limitedPartnership,
  partnership,
  professionalPartnership,
  shippingCompany,
  soleTrader,
} from "./names/enterprises.ts";
import type { Namer } from "./names/naming.ts";
import { weighted } from "./random.ts";

export interface FormProfile {
  readonly form: LegalForm;
  readonly namer: Namer;
  /** Companies of 10,000, after the register's real proportions; the rarest forms are raised so that each occurs. */
  readonly share: number;
  /** A legal person has an RSIN and a statutory name; KVK gives none for the other forms. */
  readonly isLegalPerson: boolean;
  /** How likely it runs an enterprise, and so has a main branch. */
  readonly enterprise: number;
  /** How likely an enterprise has more branches than one. */
  readonly moreBranches: number;
  /** How likely its address is shielded, is abroad. */
  readonly shieldedAddress: number;
  readonly addressAbroad: number;
  /** The fewest people that work at its enterprise, and the most that chance usually gives it. */
  readonly leastStaff: number;
  readonly usualStaff: number;
}

const company = {
  isLegalPerson: true,
  leastStaff: 0,
  enterprise: 1,
  moreBranches: 0.08,
  shieldedAddress: 0.01,
};
const body = {
  isLegalPerson: true,
  leastStaff: 0,
  enterprise: 0.35,
  moreBranches: 0.1,
  shieldedAddress: 0.005,
};
const partners = {
  isLegalPerson: false,
  leastStaff: 1,
  enterprise: 1,
  moreBranches: 0.07,
  shieldedAddress: 0.01,
};
const atHome = { addressAbroad: 0.001 };
const inTheWorld = { addressAbroad: 0.015 };

export const FORM_PROFILES: readonly FormProfile[] = [
  {
    form: "EMZ",
    namer: soleTrader,
    share: 4_300,
    ...partners,
    ...atHome,
    shieldedAddress: 0.03,
    usualStaff: 2,
    moreBranches: 0.03,
  },
  { form: "BV", namer: privateCompany, share: 3_250, ...company, ...inTheWorld, usualStaff: 12 },
  { form: "STI", namer: foundation, share: 680, ...body, ...atHome, usualStaff: 6 },
  { form: "VVE", namer: ownersAssociation, share: 560, ...body, ...atHome, enterprise: 0, usualStaff: 0 },
  { form: "VOF", namer: partnership, share: 500, ...partners, ...atHome, usualStaff: 6 },
  { form: "VER", namer: association, share: 350, ...body, ...atHome, enterprise: 0.2, usualStaff: 3 },
  { form: "MTS", namer: professionalPartnership, share: 110, ...partners, ...atHome, usualStaff: 8 },
  { form: "BUI", namer: foreignCompany, share: 70, ...company, addressAbroad: 0.75, usualStaff: 8 },
  { form: "CV", namer: limitedPartnership, share: 40, ...partners, ...atHome, usualStaff: 4 },
  { form: "COOP", namer: cooperative, share: 35, ...company, ...atHome, usualStaff: 10 },
  { form: "KG", namer: church, share: 25, ...body, ...atHome, usualStaff: 3 },
  { form: "NV", namer: publicCompany, share: 15, ...company, ...inTheWorld, usualStaff: 90 },
  {
    form: "PPR",
    namer: publicBody,
    share: 10,
    ...body,
    addressAbroad: 0,
    enterprise: 0.8,
    shieldedAddress: 0,
    usualStaff: 200,
  },
  { form: "FGR", namer: mutualFund, share: 10, ...partners, ...atHome, enterprise: 0.2, usualStaff: 0 },
  { form: "OPR", namer: otherPrivateBody, share: 8, ...body, ...atHome, usualStaff: 0 },
  { form: "REDE", namer: shippingCompany, share: 6, ...partners, ...atHome, usualStaff: 8 },
  { form: "OWM", namer: mutualInsurer, share: 5, ...company, addressAbroad: 0, usualStaff: 20 },
  { form: "SE", namer: europeanCompany, share: 4, ...company, ...inTheWorld, usualStaff: 60 },
  { form: "EESV", namer: economicInterestGrouping, share: 4, ...company, ...inTheWorld, usualStaff: 3 },
  { form: "SCE", namer: europeanCooperative, share: 4, ...company, ...inTheWorld, usualStaff: 10 },
];

/** To pick from: every form as often as its share asks. */
export const FORMS_BY_SHARE: readonly FormProfile[] = weighted(
  FORM_PROFILES.map((profile) => [profile, profile.share] as const),
);

/** How common each legal form is, how its companies are named, and what they usually have. */
import type { LegalForm } from "../../contract/legalForms.ts";
import * as bodies from "./names/bodies.ts";
import * as companies from "./names/companies.ts";
import * as enterprises from "./names/enterprises.ts";
import type { Namer } from "./names/naming.ts";
import { weighted } from "./random.ts";

/** Numbers from 0 to 1 are probabilities. */
export interface FormProfile {
  readonly form: LegalForm;
  readonly namer: Namer;
  /** Companies of 10,000, as in the real register; the rarest forms are raised so that each occurs. */
  readonly share: number;
  /** A legal person has an RSIN and a statutory name; KVK gives none for the other forms. */
  readonly isLegalPerson: boolean;
  /** Runs an enterprise, and so has a main branch. */
  readonly enterprise: number;
  /** Has more than one branch, given that it runs an enterprise. */
  readonly moreBranches: number;
  readonly shieldedAddress: number;
  readonly addressAbroad: number;
  /** Employees: the minimum, and the usual maximum. */
  readonly minStaff: number;
  readonly usualStaff: number;
}

// Three common profiles, which the forms below override.
const company = {
  isLegalPerson: true,
  enterprise: 1,
  moreBranches: 0.08,
  shieldedAddress: 0.01,
  addressAbroad: 0.015,
  minStaff: 0,
};
const body = {
  isLegalPerson: true,
  enterprise: 0.35,
  moreBranches: 0.1,
  shieldedAddress: 0.005,
  addressAbroad: 0.001,
  minStaff: 0,
  usualStaff: 0,
};
const partners = {
  isLegalPerson: false,
  enterprise: 1,
  moreBranches: 0.07,
  shieldedAddress: 0.01,
  addressAbroad: 0.001,
  minStaff: 1,
};

const FORM_PROFILES: readonly FormProfile[] = [
  {
    form: "EMZ",
    namer: enterprises.soleTrader,
    share: 4_300,
    ...partners,
    shieldedAddress: 0.03,
    usualStaff: 2,
    moreBranches: 0.03,
  },
  { form: "BV", namer: companies.privateCompany, share: 3_250, ...company, usualStaff: 12 },
  { form: "STI", namer: bodies.foundation, share: 680, ...body, usualStaff: 6 },
  { form: "VVE", namer: bodies.ownersAssociation, share: 560, ...body, enterprise: 0 },
  { form: "VOF", namer: enterprises.partnership, share: 500, ...partners, usualStaff: 6 },
  { form: "VER", namer: bodies.association, share: 350, ...body, enterprise: 0.2, usualStaff: 3 },
  { form: "MTS", namer: enterprises.professionalPartnership, share: 110, ...partners, usualStaff: 8 },
  { form: "BUI", namer: companies.foreignCompany, share: 70, ...company, addressAbroad: 0.75, usualStaff: 8 },
  { form: "CV", namer: enterprises.limitedPartnership, share: 40, ...partners, usualStaff: 4 },
  { form: "COOP", namer: bodies.cooperative, share: 35, ...company, addressAbroad: 0.001, usualStaff: 10 },
  { form: "KG", namer: bodies.church, share: 25, ...body, usualStaff: 3 },
  { form: "NV", namer: companies.publicCompany, share: 15, ...company, usualStaff: 90 },
  {
    form: "PPR",
    namer: bodies.publicBody,
    share: 10,
    ...body,
    addressAbroad: 0,
    enterprise: 0.8,
    shieldedAddress: 0,
    usualStaff: 200,
  },
  { form: "FGR", namer: companies.mutualFund, share: 10, ...partners, enterprise: 0.2, usualStaff: 0 },
  { form: "OPR", namer: bodies.otherPrivateBody, share: 8, ...body, usualStaff: 0 },
  { form: "REDE", namer: enterprises.shippingCompany, share: 6, ...partners, usualStaff: 8 },
  { form: "OWM", namer: bodies.mutualInsurer, share: 5, ...company, addressAbroad: 0, usualStaff: 20 },
  { form: "SE", namer: companies.europeanCompany, share: 4, ...company, usualStaff: 60 },
  { form: "EESV", namer: companies.economicInterestGrouping, share: 4, ...company, usualStaff: 3 },
  { form: "SCE", namer: bodies.europeanCooperative, share: 4, ...company, usualStaff: 10 },
];

/** A list to pick from, in which each form occurs in proportion to its share. */
export const FORMS_BY_SHARE: readonly FormProfile[] = weighted(
  FORM_PROFILES.map((profile) => [profile, profile.share] as const),
);

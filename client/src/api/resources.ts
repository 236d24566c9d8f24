/** What the service tells. Written by `npm run openapi` out of the contract. Do not edit. */

/** An address, as far as it is known. */
export interface Address {
  /** Street; `Postbus` for a PO box, `Antwoordnummer` for freepost; street and number as given for a foreign address. */
  readonly street?: string;
  /** House number, letter, then `-addition` as text; for a PO box or freepost its number. */
  readonly houseNumber?: string;
  /** Dutch postal code with a space; absent for a foreign address. */
  readonly postalCode?: string;
  /** City as registered. */
  readonly city?: string;
  /** ISO 3166-1 alpha-2 code. */
  readonly country?: string;
  /** Present when the registry shields the address: then only city and country are returned. */
  readonly isShielded?: true;
}

/** A business activity by its SBI code. */
export interface Activity {
  /** SBI code: digits only, as text, including a leading zero. */
  readonly sbiCode: string;
  /** The meaning of the code, in Dutch. */
  readonly description?: string;
  /** Whether this is the main activity. */
  readonly isMain: boolean;
}

/** People who work at the company, as far as the origin gives them; no count is derived from the others. */
export interface Employees {
  /** Everyone who works at the company, owners included. */
  readonly total?: number;
  /** Of these, those who work full time. */
  readonly fullTime?: number;
  /** Of these, those who work part time. */
  readonly partTime?: number;
}

/** Where the data comes from and how old it is. */
export interface Source {
  /** Where the company comes from: `kvk-api`, `gleif`, `import:<name>` or `demo`. */
  readonly kvk: string;
  /** Where the verdict on the VAT number comes from: present exactly when `vat` is, and equal to its status. */
  readonly vies?: "validated" | "stale" | "malformed" | "unvalidated";
  /** The date of the data, ISO 8601 in UTC. */
  readonly cachedAt: string;
}

/** A company as a basic lookup returns it. */
export interface BasicCompany {
  /** KVK number: eight digits as text, including leading zeros. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  readonly address: Address;
  /** Whether the company is registered as active; always present. */
  readonly isActive: boolean;
  /** Date of registration, where known. */
  readonly registrationDate?: string;
  readonly source?: Source;
}

/** A company as an enriched lookup returns it. */
export interface Company {
  /** KVK number: eight digits as text, including leading zeros. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  readonly address: Address;
  /** Whether the company is registered as active; always present. */
  readonly isActive: boolean;
  /** Date of registration, where known. */
  readonly registrationDate?: string;
  readonly source?: Source;
  /** Trading names in the registry's order. */
  readonly tradingNames?: readonly string[];
  /** Legal form: BV besloten vennootschap, NV naamloze vennootschap, EMZ eenmanszaak, VOF vennootschap onder firma, CV commanditaire vennootschap, MTS maatschap, STI stichting, VER vereniging, VVE vereniging van eigenaars, COOP coöperatie, OWM onderlinge waarborgmaatschappij, KG kerkgenootschap, PPR publiekrechtelijke rechtspersoon, OPR overige privaatrechtelijke rechtspersoon, SE Europese naamloze vennootschap, SCE Europese coöperatieve vennootschap, EESV Europees economisch samenwerkingsverband, FGR fonds voor gemene rekening, REDE rederij, BUI buitenlandse rechtsvorm. Absent when unknown. */
  readonly legalForm?: "BV" | "NV" | "EMZ" | "VOF" | "CV" | "MTS" | "STI" | "VER" | "VVE" | "COOP" | "OWM" | "KG" | "PPR" | "OPR" | "SE" | "SCE" | "EESV" | "FGR" | "REDE" | "BUI";
  /** Business activities; absent when the origin does not have them. */
  readonly activities?: readonly Activity[];
  /** RSIN of a legal person: nine digits as text. */
  readonly rsin?: string;
  /** Date of deregistration; a company is active until then. */
  readonly deregistrationDate?: string;
  /** Name in the articles of association. */
  readonly statutoryName?: string;
  /** Whether the company asked not to receive unsolicited mail and door-to-door sales. */
  readonly nonMailing?: boolean;
  readonly employees?: Employees;
  /** Number of the main branch: twelve digits as text. */
  readonly mainBranchNumber?: string;
  /** Number of branches. */
  readonly branchCount?: number;
  /** Websites as registered. */
  readonly websites?: readonly string[];
  readonly vat?: Vat;
}

/** A company as a basic batch returns it; its address has only city and postalCode. */
export interface BatchBasicCompany {
  /** KVK number: eight digits as text, including leading zeros. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  readonly address: Address;
  /** Whether the company is registered as active; always present. */
  readonly isActive: boolean;
}

/** One company of a dropdown. */
export interface AutocompleteItem {
  /** KVK number: eight digits as text, including leading zeros. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  /** City, where known. */
  readonly city?: string;
  /** The trading name that matched, when it was not the name itself. */
  readonly matchedName?: string;
  /** Present when no name matches as typed, and this one does except for a typo or two. */
  readonly isFuzzy?: true;
}

/** One company of a search. */
export interface SearchItem {
  /** KVK number: eight digits as text, including leading zeros. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  /** City, where known. */
  readonly city?: string;
  /** Postal code, where known. */
  readonly postalCode?: string;
  /** Legal form: BV besloten vennootschap, NV naamloze vennootschap, EMZ eenmanszaak, VOF vennootschap onder firma, CV commanditaire vennootschap, MTS maatschap, STI stichting, VER vereniging, VVE vereniging van eigenaars, COOP coöperatie, OWM onderlinge waarborgmaatschappij, KG kerkgenootschap, PPR publiekrechtelijke rechtspersoon, OPR overige privaatrechtelijke rechtspersoon, SE Europese naamloze vennootschap, SCE Europese coöperatieve vennootschap, EESV Europees economisch samenwerkingsverband, FGR fonds voor gemene rekening, REDE rederij, BUI buitenlandse rechtsvorm. Absent when unknown. */
  readonly legalForm?: "BV" | "NV" | "EMZ" | "VOF" | "CV" | "MTS" | "STI" | "VER" | "VVE" | "COOP" | "OWM" | "KG" | "PPR" | "OPR" | "SE" | "SCE" | "EESV" | "FGR" | "REDE" | "BUI";
  /** Whether the company is registered as active; always present. */
  readonly isActive: boolean;
  /** Where the row comes from, `snapshot` or `kvk-api`; present when the live source was searched as well as the snapshot. */
  readonly origin?: string;
  /** Present when no name matches as typed, and this one does except for a typo or two. */
  readonly isFuzzy?: true;
}

/** A branch (vestiging). Its address has no country. */
export interface Branch {
  /** Branch number: twelve digits as text. */
  readonly branchNumber: string;
  /** The name of the branch, where known. */
  readonly name?: string;
  /** Whether this is the main branch. */
  readonly isMain: boolean;
  readonly address?: Address;
  /** Whether the company is registered as active; always present. */
  readonly isActive: boolean;
}

/** The branches of one company. */
export interface BranchList {
  /** KVK number: eight digits as text, including leading zeros. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  /** Every branch, the main one first. */
  readonly branches: readonly Branch[];
}

/** The VAT number of a company and the verdict of VIES. */
export interface Vat {
  /** The VAT number, normalised. */
  readonly number: string;
  /** The verdict of VIES; absent when unvalidated. `false` for a number with origin `rsin` says nothing about the company: it may be in a fiscal unit, which has another number, or not be liable for VAT. */
  readonly valid?: boolean;
  /** `validated`: a current verdict of VIES; `stale`: an earlier one, as VIES gives none now; `malformed`: the number breaks the rules; `unvalidated`: VIES gives no verdict and none is cached. */
  readonly status: "validated" | "stale" | "malformed" | "unvalidated";
  /** When VIES gave the verdict, by its own clock, ISO 8601 UTC. */
  readonly validatedAt?: string;
  /** Whether the form and the national checksum are right; it does not say that the number exists. */
  readonly checksumValid: boolean;
  /** Seconds since validatedAt; only with a stale verdict. */
  readonly ageSeconds?: number;
  /** `registry`: the registry gave the number; `rsin`: derived as NL + RSIN + B01, the number of a legal person that is in no fiscal unit. */
  readonly origin: "registry" | "rsin";
}

/** The verdict on a VAT number. */
export interface VatValidation {
  /** The number, normalised: country code first, no separators. */
  readonly vatNumber: string;
  /** The verdict of VIES; false when malformed. */
  readonly valid: boolean;
  /** The holder of the number; absent where VIES withholds it. */
  readonly name?: string;
  /** The address on one line; absent where VIES withholds it. */
  readonly address?: string;
  /** When VIES gave the verdict, by its own clock, ISO 8601 UTC. */
  readonly validatedAt?: string;
  /** `validated`: a current or fresh verdict of VIES; `stale`: an earlier one, as VIES gives none now; `malformed`: the number breaks the rules, VIES was not asked. */
  readonly status: "validated" | "stale" | "malformed";
  /** Whether the form and the national checksum are right; it does not say that the number exists. */
  readonly checksumValid: boolean;
  /** Seconds since validatedAt; only with a stale verdict. */
  readonly ageSeconds?: number;
  /** VIES's proof of this consultation; only with `requester`. */
  readonly consultationNumber?: string;
}

/** A list of numbers that is processed in the background. */
export interface Job {
  /** The id of the list; absent in a dry run. */
  readonly id?: string;
  /** The question for each number: `lookup` (1 token), `lookup.enriched` (5) or `vat`, the verdict on a VAT number (1). */
  readonly kind: "lookup" | "lookup.enriched" | "vat";
  /** `queued`, `running`, `paused` (see `reason`), `completed`, `cancelled`, or `expired`: it had not ended by `expiresAt`. Absent in a dry run. */
  readonly status?: "queued" | "running" | "paused" | "completed" | "cancelled" | "expired";
  /** Why it is paused. `allowance`: the tokens of the month are used up, and it resumes by itself when there are more; `cap`: maxTokens is reached; `caller`: you paused it; `key`: its key was revoked or has expired; `account`: the account is suspended. */
  readonly reason?: "allowance" | "cap" | "caller" | "key" | "account";
  /** The progress of the list. */
  readonly counts: {
    /** Numbers that were sent. */
    readonly sent: number;
    /** Repeated numbers in the list: each number is answered and charged once. */
    readonly duplicates: number;
    /** Numbers to be answered. */
    readonly numbers: number;
    /** Numbers that have their result. */
    readonly done: number;
    /** Of these, those with an answer, which costs tokens. */
    readonly found: number;
    /** Of these, those with an error, which costs nothing. */
    readonly failed: number;
  };
  /** The cost of the list. */
  readonly tokens: {
    /** The most that the whole list can cost. */
    readonly estimated: number;
    /** Tokens charged so far. */
    readonly charged: number;
    /** The cap set by the caller: the list pauses before it would exceed it. */
    readonly max?: number;
  };
  /** When it was sent, ISO 8601 UTC. */
  readonly createdAt?: string;
  /** When processing began. */
  readonly startedAt?: string;
  /** When it ended. */
  readonly endedAt?: string;
  /** When it expires unless it ends first, by the current plan: 35 days after it was sent, 3 with a free plan. Absent once it has ended. */
  readonly expiresAt?: string;
  /** When its results are deleted: seven days after its end. */
  readonly resultsUntil?: string;
  /** The URL that is notified when it ends. */
  readonly webhook?: string;
}

/** What the service tells. Written by `npm run openapi` out of the contract. Do not edit. */

/** An address, with what is known of it. */
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
  /** Present when the registry shields the address: then city and country are all that is shown. */
  readonly isShielded?: true;
}

/** A business activity by its SBI code. */
export interface Activity {
  /** SBI code: digits only, as text, leading zero kept. */
  readonly sbiCode: string;
  /** What the code stands for, in Dutch. */
  readonly description?: string;
  /** Whether this is the main activity. */
  readonly isMain: boolean;
}

/** People who work at the company, as far as the origin gives them; none is computed of the others. */
export interface Employees {
  /** All who work at the company, owners included. */
  readonly total?: number;
  /** Those of them who work full time. */
  readonly fullTime?: number;
  /** Those of them who work part time. */
  readonly partTime?: number;
}

/** Where the data comes from and how old it is. */
export interface Source {
  /** Where the company comes from: `kvk-api`, `gleif`, `import:<name>` or `demo`. */
  readonly kvk: string;
  /** Where the verdict on the VAT number comes from: there exactly when `vat` is, and the same as its status. */
  readonly vies?: "validated" | "stale" | "malformed" | "unvalidated";
  /** The date of the data, ISO 8601 in UTC. */
  readonly cachedAt: string;
}

/** A company as a basic lookup gives it. */
export interface BasicCompany {
  /** KVK number: eight digits as text, leading zeros kept. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  readonly address: Address;
  /** Whether the company is registered as active; always known. */
  readonly isActive: boolean;
  /** Date of registration, where known. */
  readonly registrationDate?: string;
  readonly source?: Source;
}

/** A company as an enriched lookup gives it. */
export interface Company {
  /** KVK number: eight digits as text, leading zeros kept. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  readonly address: Address;
  /** Whether the company is registered as active; always known. */
  readonly isActive: boolean;
  /** Date of registration, where known. */
  readonly registrationDate?: string;
  readonly source?: Source;
  /** Trading names in the registry's order. */
  readonly tradingNames?: readonly string[];
  /** Legal form: BV besloten vennootschap, NV naamloze vennootschap, EMZ eenmanszaak, VOF vennootschap onder firma, CV commanditaire vennootschap, MTS maatschap, STI stichting, VER vereniging, VVE vereniging van eigenaars, COOP coöperatie, OWM onderlinge waarborgmaatschappij, KG kerkgenootschap, PPR publiekrechtelijke rechtspersoon, OPR overige privaatrechtelijke rechtspersoon, SE Europese naamloze vennootschap, SCE Europese coöperatieve vennootschap, EESV Europees economisch samenwerkingsverband, FGR fonds voor gemene rekening, REDE rederij, BUI buitenlandse rechtsvorm. Absent when unknown. */
  readonly legalForm?: "BV" | "NV" | "EMZ" | "VOF" | "CV" | "MTS" | "STI" | "VER" | "VVE" | "COOP" | "OWM" | "KG" | "PPR" | "OPR" | "SE" | "SCE" | "EESV" | "FGR" | "REDE" | "BUI";
  /** Business activities; absent when the origin does not hold them. */
  readonly activities?: readonly Activity[];
  /** RSIN of a legal person: nine digits as text. */
  readonly rsin?: string;
  /** Date of deregistration; a company is active until then. */
  readonly deregistrationDate?: string;
  /** Name in the articles of association. */
  readonly statutoryName?: string;
  /** Whether the company asked not to get unsolicited mail and door sales. */
  readonly nonMailing?: boolean;
  readonly employees?: Employees;
  /** Number of the main branch: twelve digits as text. */
  readonly mainBranchNumber?: string;
  /** How many branches the company has. */
  readonly branchCount?: number;
  /** Websites as registered. */
  readonly websites?: readonly string[];
  readonly vat?: Vat;
}

/** A company as a basic batch gives it; of the address only city and postalCode. */
export interface BatchBasicCompany {
  /** KVK number: eight digits as text, leading zeros kept. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  readonly address: Address;
  /** Whether the company is registered as active; always known. */
  readonly isActive: boolean;
}

/** One company of a dropdown. */
export interface AutocompleteItem {
  /** KVK number: eight digits as text, leading zeros kept. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  /** City, where known. */
  readonly city?: string;
  /** The trading name that was the hit, when it was not the name itself. */
  readonly matchedName?: string;
  /** Present when no name fits as it was typed, and this one does but for a slip or two. */
  readonly isFuzzy?: true;
}

/** One company of a search. */
export interface SearchItem {
  /** KVK number: eight digits as text, leading zeros kept. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  /** City, where known. */
  readonly city?: string;
  /** Postal code, where known. */
  readonly postalCode?: string;
  /** Legal form: BV besloten vennootschap, NV naamloze vennootschap, EMZ eenmanszaak, VOF vennootschap onder firma, CV commanditaire vennootschap, MTS maatschap, STI stichting, VER vereniging, VVE vereniging van eigenaars, COOP coöperatie, OWM onderlinge waarborgmaatschappij, KG kerkgenootschap, PPR publiekrechtelijke rechtspersoon, OPR overige privaatrechtelijke rechtspersoon, SE Europese naamloze vennootschap, SCE Europese coöperatieve vennootschap, EESV Europees economisch samenwerkingsverband, FGR fonds voor gemene rekening, REDE rederij, BUI buitenlandse rechtsvorm. Absent when unknown. */
  readonly legalForm?: "BV" | "NV" | "EMZ" | "VOF" | "CV" | "MTS" | "STI" | "VER" | "VVE" | "COOP" | "OWM" | "KG" | "PPR" | "OPR" | "SE" | "SCE" | "EESV" | "FGR" | "REDE" | "BUI";
  /** Whether the company is registered as active; always known. */
  readonly isActive: boolean;
  /** Where the row comes from, told where the live source was searched beside the snapshot: `snapshot`, or `kvk-api`. */
  readonly origin?: string;
  /** Present when no name fits as it was typed, and this one does but for a slip or two. */
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
  /** Whether the company is registered as active; always known. */
  readonly isActive: boolean;
}

/** The branches of one company. */
export interface BranchList {
  /** KVK number: eight digits as text, leading zeros kept. */
  readonly kvkNumber: string;
  /** The name under which the company is known. */
  readonly name: string;
  /** Every branch, the main one first. */
  readonly branches: readonly Branch[];
}

/** The VAT number of a company and what VIES says of it. */
export interface Vat {
  /** The VAT number, normalised. */
  readonly number: string;
  /** VIES's word; absent when unvalidated, as nobody knows. `false` of a number with origin `rsin` says nothing of the company: it may be in a fiscal unit, whose number is another, or not liable for VAT. */
  readonly valid?: boolean;
  /** `validated`: VIES's word of now; `stale`: an earlier one, as VIES has none now; `malformed`: the rules refuse it; `unvalidated`: VIES has no word and none is held. */
  readonly status: "validated" | "stale" | "malformed" | "unvalidated";
  /** When VIES said so, by its own clock, ISO 8601 UTC. */
  readonly validatedAt?: string;
  /** Whether the form and the national checksum are right: well formed, never that it exists. */
  readonly checksumValid: boolean;
  /** Seconds since validatedAt; of a stale verdict only. */
  readonly ageSeconds?: number;
  /** `registry`: the registry gave the number; `rsin`: derived as NL + RSIN + B01, the number of a legal person that is in no fiscal unit. */
  readonly origin: "registry" | "rsin";
}

/** What is known of a VAT number. */
export interface VatValidation {
  /** The number, normalised: country code first, no separators. */
  readonly vatNumber: string;
  /** VIES's word; false when malformed. */
  readonly valid: boolean;
  /** Who the number belongs to; absent where VIES withholds it. */
  readonly name?: string;
  /** The address as one line; absent where VIES withholds it. */
  readonly address?: string;
  /** When VIES said so, by its own clock, ISO 8601 UTC. */
  readonly validatedAt?: string;
  /** `validated`: VIES's word of now, or a fresh one; `stale`: an earlier one, as VIES has none now; `malformed`: the rules refuse it, VIES was not asked. */
  readonly status: "validated" | "stale" | "malformed";
  /** Whether the form and the national checksum are right: well formed, never that it exists. */
  readonly checksumValid: boolean;
  /** Seconds since validatedAt; of a stale verdict only. */
  readonly ageSeconds?: number;
  /** VIES's proof of this consultation; only with `requester`. */
  readonly consultationNumber?: string;
}

/** A list of numbers that is worked off by and by. */
export interface Job {
  /** Names the list; absent when only its price was asked. */
  readonly id?: string;
  /** What is asked of each number: `lookup` (1 token), `lookup.enriched` (5) or `vat`, the verdict on a VAT number (1). */
  readonly kind: "lookup" | "lookup.enriched" | "vat";
  /** `queued`, `running`, `paused` (see `reason`), `completed`, `cancelled`, or `expired`: it had not ended by `expiresAt`. Absent when only the price was asked. */
  readonly status?: "queued" | "running" | "paused" | "completed" | "cancelled" | "expired";
  /** Why it is paused. `allowance`: the tokens of the month are used up, it goes on by itself when there are more; `cap`: maxTokens is reached; `caller`: you asked for it; `key`: its key was revoked or has expired; `account`: the account is suspended. */
  readonly reason?: "allowance" | "cap" | "caller" | "key" | "account";
  /** How far the list is. */
  readonly counts: {
    /** Numbers that were sent. */
    readonly sent: number;
    /** Those of them that were sent before in the same list: each is answered and charged once. */
    readonly duplicates: number;
    /** Numbers to be answered. */
    readonly numbers: number;
    /** Numbers that have their result. */
    readonly done: number;
    /** Those with an answer, which is what costs tokens. */
    readonly found: number;
    /** Those with an error, which costs nothing. */
    readonly failed: number;
  };
  /** What the list costs. */
  readonly tokens: {
    /** What the whole list costs at most. */
    readonly estimated: number;
    /** What was charged so far. */
    readonly charged: number;
    /** The cap that its caller set: the list pauses before it would be passed. */
    readonly max?: number;
  };
  /** When it was sent, ISO 8601 UTC. */
  readonly createdAt?: string;
  /** When work on it began. */
  readonly startedAt?: string;
  /** When it ended. */
  readonly endedAt?: string;
  /** When it expires unless it ends first, by the current plan: 35 days after it was sent, 3 with a free plan. Absent once it has ended. */
  readonly expiresAt?: string;
  /** Until when its results can be fetched: seven days after its end. */
  readonly resultsUntil?: string;
  /** Where its end is told. */
  readonly webhook?: string;
}

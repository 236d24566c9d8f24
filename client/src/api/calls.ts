/** What the service is asked, and what it answers that is no resource. Written by `npm run openapi` out of the contract. Do not edit. */
import type { AutocompleteItem, Company, Job, SearchItem } from "./resources.ts";

/** Look up one company: what may be given. */
export interface LookupQuery {
  /** Give all that is known of the company. */
  readonly enrich?: boolean | undefined;
  /** How old the data may be, in seconds, an hour at least: what is older is asked of KVK anew, where the service can. Without an answer the older data is given; source.cachedAt tells. */
  readonly maxAge?: number | undefined;
  /** How old VIES's answer on the VAT number of an enriched company may be at most, in seconds; 0 asks VIES now. A basic lookup has none. */
  readonly vatMaxAge?: number | undefined;
}

/** List the branches of a company: what may be given. */
export interface BranchesQuery {
  /** How old the data may be, in seconds, an hour at least: what is older is asked of KVK anew, where the service can. Without an answer the older data is given; source.cachedAt tells. */
  readonly maxAge?: number | undefined;
}

/** Look up many companies at once. */
export interface BatchAnswer {
  /** The companies found, in the order of the request. */
  readonly results: readonly Company[];
  /** The numbers that failed, in the order of the request. */
  readonly failed: readonly {
    /** The number as it was sent. */
    readonly kvkNumber: string;
    /** Why it failed. */
    readonly error: {
      /** One of the error codes. */
      readonly code: string;
      /** What is wrong with this number. */
      readonly message: string;
    };
  }[];
  /** What this call cost. */
  readonly tokensUsed: number;
}

/** Complete what a person types: what may be given. */
export interface AutocompleteQuery {
  /** What was typed: 2 to 700 characters. */
  readonly q: string;
  /** How many companies at most. */
  readonly limit?: number | undefined;
  /** Names one person's typing, 16 to 64 of the characters A-Z, a-z, 0-9, _ and -: made up anew, at random, for each field that somebody begins to type in. Left out, every call is paid for. */
  readonly session?: string | undefined;
}

/** Complete what a person types. */
export interface AutocompleteAnswer {
  /** One row a company, best first; empty when nothing is found. */
  readonly results: readonly AutocompleteItem[];
}

/** Search companies: what may be given. */
export interface SearchQuery {
  /** Words of a name or trading name, also with a city or postal code, or a KVK number: 2 to 700 characters. */
  readonly q?: string | undefined;
  /** City, whole. `a/d`, `St.` and `Den Bosch` stand for `aan den`, `Sint` and `'s-Hertogenbosch`. `Rijswijk` is every Rijswijk, `Rijswijk (GLD)` the one in Gelderland. */
  readonly city?: string | undefined;
  /** Postal code or its beginning; the space is optional. */
  readonly postalCode?: string | undefined;
  /** Legal form: BV besloten vennootschap, NV naamloze vennootschap, EMZ eenmanszaak, VOF vennootschap onder firma, CV commanditaire vennootschap, MTS maatschap, STI stichting, VER vereniging, VVE vereniging van eigenaars, COOP coöperatie, OWM onderlinge waarborgmaatschappij, KG kerkgenootschap, PPR publiekrechtelijke rechtspersoon, OPR overige privaatrechtelijke rechtspersoon, SE Europese naamloze vennootschap, SCE Europese coöperatieve vennootschap, EESV Europees economisch samenwerkingsverband, FGR fonds voor gemene rekening, REDE rederij, BUI buitenlandse rechtsvorm. Absent when unknown. */
  readonly legalForm?: "BV" | "NV" | "EMZ" | "VOF" | "CV" | "MTS" | "STI" | "VER" | "VVE" | "COOP" | "OWM" | "KG" | "PPR" | "OPR" | "SE" | "SCE" | "EESV" | "FGR" | "REDE" | "BUI" | undefined;
  /** SBI code or its beginning, with or without its dots. */
  readonly sbiCode?: string | undefined;
  /** Only active or only ended ones. */
  readonly isActive?: boolean | undefined;
  /** Whether names are found that are a slip or two away, where no name fits as typed (`isFuzzy`); true unless given. */
  readonly fuzzy?: boolean | undefined;
  /** Page, from 1. */
  readonly page?: number | undefined;
  /** Rows a page. */
  readonly pageSize?: number | undefined;
}

/** Search companies. */
export interface SearchAnswer {
  /** The rows of this page. */
  readonly results: readonly SearchItem[];
  /** How many companies there are in all; of more than 10000 this number, with totalIsExact false. Where not all was read, as of a misspelled search that took too long or of KVK's own, it may be any number, also 0, of which there are at least so many; then totalIsExact is false too. */
  readonly total: number;
  /** There, and false, when there are, or may be, more companies than total says. */
  readonly totalIsExact?: false;
  /** This page. */
  readonly page: number;
  /** Rows a page. */
  readonly pageSize: number;
}

/** Validate a VAT number: what may be given. */
export interface VatValidationQuery {
  /** How old a fresh answer may be at most, in seconds; 0 asks VIES now. */
  readonly maxAge?: number | undefined;
  /** Your own VAT number: VIES is asked now, in your name, and gives a consultationNumber as proof. */
  readonly requester?: string | undefined;
}

/** Show what was used this month. */
export interface UsageAnswer {
  /** There, and true, for a test key: then tokens and operations are those of the account's test keys, which spend none of its allowance. */
  readonly isTest?: true;
  /** The account's plan. */
  readonly tier: string;
  /** The month that the tokens are counted in. */
  readonly period: {
    /** Included, ISO 8601 UTC. */
    readonly start: string;
    /** Not included, ISO 8601 UTC. */
    readonly end: string;
  };
  /** The account's tokens; all its keys draw on them. */
  readonly tokens: {
    /** The month's allowance. */
    readonly limit: number;
    /** Spent so far. */
    readonly used: number;
    /** Left to spend. */
    readonly remaining: number;
  };
  /** The rate window of this key. */
  readonly rateLimit: {
    /** Calls a minute. */
    readonly limit: number;
    /** Calls left in this minute. */
    readonly remaining: number;
    /** When the minute ends, Unix seconds. */
    readonly reset: number;
  };
  /** This month by operation, for all keys of the account. */
  readonly operations: readonly {
    /** What was called. */
    readonly operation: string;
    /** Calls that the rate limit let in, this one included. */
    readonly requests: number;
    /** Tokens spent. */
    readonly tokens: number;
    /** Calls over the rate limit or beyond the allowance. */
    readonly refusals: number;
    /** Of autocomplete: sessions of typing that were begun, at one token each. */
    readonly sessions?: number;
    /** Of autocomplete: calls that were delivered in one, those that began it among them. */
    readonly sessionCalls?: number;
  }[];
}

/** Send a list of many numbers: what may be given. */
export interface SubmitQuery {
  /** The question for each number: `lookup` (1 token), `lookup.enriched` (5) or `vat`, the verdict on a VAT number (1). */
  readonly kind: "lookup" | "lookup.enriched" | "vat";
  /** Answer 200 with what the list would cost at most; nothing is kept or done. */
  readonly dryRun?: boolean | undefined;
  /** A cap: the list pauses before it would have cost more tokens than this. */
  readonly maxTokens?: number | undefined;
  /** Where the end of the list is told, by a signed POST (Standard Webhooks). Needs a secret: see `POST /v1/webhook-secret`. */
  readonly webhook?: string | undefined;
}

/** Show all lists. */
export interface JobsAnswer {
  /** The lists, the newest first. */
  readonly jobs: readonly Job[];
}

/** Fetch the results of a list: what may be given. */
export interface ResultsQuery {
  /** `jsonl` or `csv`; else what Accept asks for, JSON lines when it does not say. */
  readonly format?: "jsonl" | "csv" | undefined;
}

/** Let a list go on: what may be given. */
export interface ResumeQuery {
  /** A cap: the list pauses before it would have cost more tokens than this. */
  readonly maxTokens?: number | undefined;
}

/** Make a secret for webhooks. */
export interface WebhookSecretAnswer {
  /** As Standard Webhooks writes it; keep it where your other secrets are. */
  readonly secret: string;
}

/** Show the health of the service. */
export interface HealthAnswer {
  /** The service as a whole. */
  readonly status: "ok" | "degraded" | "down";
  /** What the service depends on. */
  readonly services: {
    /** The registry's data source. */
    readonly kvk: "up" | "degraded" | "down";
    /** The EU's VAT service, where it is used. */
    readonly vies?: "up" | "degraded" | "down";
  };
  /** What does not work meanwhile, where the status alone does not say it. */
  readonly reason?: string;
  /** Now, ISO 8601 UTC. */
  readonly timestamp: string;
}

/** The codes of errors that the service of this release answers with. */
export type ErrorCode =
  | "INVALID_KVK_NUMBER"
  | "INVALID_VAT_NUMBER"
  | "INVALID_REQUEST"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "NOT_HELD"
  | "ROUTE_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "CONFLICT"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "RANGE_NOT_SATISFIABLE"
  | "RATE_LIMIT_EXCEEDED"
  | "QUOTA_EXCEEDED"
  | "UPSTREAM_ERROR"
  | "SERVICE_UNAVAILABLE"
  | "INTERNAL_ERROR";

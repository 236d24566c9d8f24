/** What the service is asked, and what it answers that is no resource. Written by `npm run openapi` out of the contract. Do not edit. */
import type { AutocompleteItem, Company, Job, SearchItem } from "./resources.ts";

/** Look up one company: what may be given. */
export interface LookupQuery {
  /** Return all known data of the company. */
  readonly enrich?: boolean | undefined;
  /** Maximum age of the data in seconds, at least an hour. Older data is fetched from KVK again, if the service can. Without an answer the older data is returned; see source.cachedAt. */
  readonly maxAge?: number | undefined;
  /** Maximum age, in seconds, of VIES's answer on the VAT number of an enriched company; 0 asks VIES now. Ignored for a basic lookup. */
  readonly vatMaxAge?: number | undefined;
}

/** List the branches of a company: what may be given. */
export interface BranchesQuery {
  /** Maximum age of the data in seconds, at least an hour. Older data is fetched from KVK again, if the service can. Without an answer the older data is returned; see source.cachedAt. */
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
  /** The typed text: 2 to 700 characters. */
  readonly q: string;
  /** Maximum number of companies. */
  readonly limit?: number | undefined;
  /** A typing session, 16 to 64 of the characters A-Z, a-z, 0-9, _ and -: a new random value each time a person starts typing in a field. Without it every call is charged. */
  readonly session?: string | undefined;
}

/** Complete what a person types. */
export interface AutocompleteAnswer {
  /** One row per company, best first; empty when nothing is found. */
  readonly results: readonly AutocompleteItem[];
}

/** Search companies: what may be given. */
export interface SearchQuery {
  /** Words of a name or trading name, also with a city or postal code, or a KVK number: 2 to 700 characters. */
  readonly q?: string | undefined;
  /** The full name of a city. `a/d`, `St.` and `Den Bosch` stand for `aan den`, `Sint` and `'s-Hertogenbosch`. `Rijswijk` matches every Rijswijk, `Rijswijk (GLD)` the one in Gelderland. */
  readonly city?: string | undefined;
  /** Postal code or its beginning; the space is optional. */
  readonly postalCode?: string | undefined;
  /** Legal form: BV besloten vennootschap, NV naamloze vennootschap, EMZ eenmanszaak, VOF vennootschap onder firma, CV commanditaire vennootschap, MTS maatschap, STI stichting, VER vereniging, VVE vereniging van eigenaars, COOP coöperatie, OWM onderlinge waarborgmaatschappij, KG kerkgenootschap, PPR publiekrechtelijke rechtspersoon, OPR overige privaatrechtelijke rechtspersoon, SE Europese naamloze vennootschap, SCE Europese coöperatieve vennootschap, EESV Europees economisch samenwerkingsverband, FGR fonds voor gemene rekening, REDE rederij, BUI buitenlandse rechtsvorm. Absent when unknown. */
  readonly legalForm?: "BV" | "NV" | "EMZ" | "VOF" | "CV" | "MTS" | "STI" | "VER" | "VVE" | "COOP" | "OWM" | "KG" | "PPR" | "OPR" | "SE" | "SCE" | "EESV" | "FGR" | "REDE" | "BUI" | undefined;
  /** SBI code or its beginning, with or without its dots. */
  readonly sbiCode?: string | undefined;
  /** Only active companies, or only ended ones. */
  readonly isActive?: boolean | undefined;
  /** Whether to return names within one or two typos (`isFuzzy`) when no name matches as typed; true by default. */
  readonly fuzzy?: boolean | undefined;
  /** Page, from 1. */
  readonly page?: number | undefined;
  /** Rows per page. */
  readonly pageSize?: number | undefined;
}

/** Search companies. */
export interface SearchAnswer {
  /** The rows of this page. */
  readonly results: readonly SearchItem[];
  /** The number of matching companies, at most 10000; above that totalIsExact is false. When not everything was read, such as for a misspelled search that took too long or a search by KVK, it is a lower bound, possibly 0, and totalIsExact is false too. */
  readonly total: number;
  /** False when there are or may be more companies than total; otherwise absent. */
  readonly totalIsExact?: false;
  /** This page. */
  readonly page: number;
  /** Rows per page. */
  readonly pageSize: number;
}

/** Validate a VAT number: what may be given. */
export interface VatValidationQuery {
  /** Maximum age of a fresh answer in seconds; 0 asks VIES now. */
  readonly maxAge?: number | undefined;
  /** Your own VAT number: VIES is asked now, in your name, and returns a consultationNumber as proof. */
  readonly requester?: string | undefined;
}

/** Show this month's usage. */
export interface UsageAnswer {
  /** True for a test key, otherwise absent. Tokens and operations are then those of the account's test keys, which do not use its allowance. */
  readonly isTest?: true;
  /** The account's plan. */
  readonly tier: string;
  /** The month that the tokens are counted in. */
  readonly period: {
    /** Inclusive, ISO 8601 UTC. */
    readonly start: string;
    /** Exclusive, ISO 8601 UTC. */
    readonly end: string;
  };
  /** The account's tokens, which all its keys share. */
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
    /** The operation. */
    readonly operation: string;
    /** Calls within the rate limit, this one included. */
    readonly requests: number;
    /** Tokens spent. */
    readonly tokens: number;
    /** Calls over the rate limit or the allowance. */
    readonly refusals: number;
    /** For autocomplete: typing sessions that began, one token each. */
    readonly sessions?: number;
    /** For autocomplete: calls delivered in a session, including the first. */
    readonly sessionCalls?: number;
  }[];
}

/** Submit a list of numbers: what may be given. */
export interface SubmitQuery {
  /** The question for each number: `lookup` (1 token), `lookup.enriched` (5) or `vat`, the verdict on a VAT number (1). */
  readonly kind: "lookup" | "lookup.enriched" | "vat";
  /** Return 200 with the maximum cost of the list, without storing or processing it. */
  readonly dryRun?: boolean | undefined;
  /** A cap: the list pauses before it costs more tokens than this. */
  readonly maxTokens?: number | undefined;
  /** A URL that gets a signed POST (Standard Webhooks) when the list ends. Requires a secret: see `POST /v1/webhook-secret`. */
  readonly webhook?: string | undefined;
}

/** List all lists. */
export interface JobsAnswer {
  /** The lists, newest first. */
  readonly jobs: readonly Job[];
}

/** Download the results of a list: what may be given. */
export interface ResultsQuery {
  /** `jsonl` or `csv`. By default the Accept header decides; JSON lines without one. */
  readonly format?: "jsonl" | "csv" | undefined;
}

/** Resume a list: what may be given. */
export interface ResumeQuery {
  /** A cap: the list pauses before it costs more tokens than this. */
  readonly maxTokens?: number | undefined;
}

/** Create a webhook secret. */
export interface WebhookSecretAnswer {
  /** The secret in the form of Standard Webhooks. Store it safely. */
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
    /** The EU's VAT service, if it is used. */
    readonly vies?: "up" | "degraded" | "down";
  };
  /** What does not work, if the status alone does not show it. */
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

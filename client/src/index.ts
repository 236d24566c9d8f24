/** The public API of `@opzoek/client`. */
export type {
  AutocompleteAnswer,
  AutocompleteQuery,
  BatchAnswer,
  BranchesQuery,
  ErrorCode,
  HealthAnswer,
  LookupQuery,
  SearchAnswer,
  SearchQuery,
  UsageAnswer,
  VatValidationQuery,
} from "./api/calls.ts";
export type {
  Activity,
  Address,
  AutocompleteItem,
  BasicCompany,
  BatchBasicCompany,
  Branch,
  BranchList,
  Employees,
  MatchCandidate,
  MatchQuery,
  SearchItem,
  Source,
} from "./api/resources.ts";
export type { BatchOptions } from "./batch.ts";
export { type BatchOf, type BranchesOptions, type LookupOptions, Opzoek, type VatOptions } from "./client.ts";
export * from "./errors.ts";
export type { BatchProgress } from "./hundreds.ts";
export type { MatchOptions } from "./match.ts";
export type { Matched, MatchOf } from "./matched.ts";
export type { FetchOptions, Route, RouteAnswer, RouteOptions } from "./request.ts";
export type { Balance, Left } from "./state.ts";
export type { AnswerInfo, CallOptions, ClientOptions } from "./transport.ts";
export type { AutocompleteOptions, Typing, TypingOptions } from "./typing.ts";
export type { Company, CompanyVat, VatVerdict } from "./verdicts.ts";

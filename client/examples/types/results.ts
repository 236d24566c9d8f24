import type {
  Activity,
  Address,
  AutocompleteAnswer,
  AutocompleteItem,
  AutocompleteQuery,
  BasicCompany,
  BatchAnswer,
  BatchBasicCompany,
  BatchOf,
  Branch,
  BranchesQuery,
  BranchList,
  Company,
  CompanyVat,
  Employees,
  ErrorCode,
  HealthAnswer,
  LookupQuery,
  MatchCandidate,
  Matched,
  MatchOf,
  MatchQuery,
  SearchAnswer,
  SearchItem,
  SearchQuery,
  Source,
  UsageAnswer,
  VatValidationQuery,
  VatVerdict,
} from "@opzoek/client";

export const onOneLine = ({ street, houseNumber, city }: Address): string =>
  [street, houseNumber, city].filter(Boolean).join(" ");
export const mainActivity = ({ activities }: Company): Activity | undefined =>
  activities?.find(({ isMain }) => isMain);
export const isLarge = ({ total = 0 }: Employees): boolean => total >= 250;
export const isOfThisYear = ({ cachedAt }: Source): boolean => cachedAt.startsWith("2026");
export const ended = (companies: readonly BasicCompany[]): BasicCompany[] =>
  companies.filter(({ isActive }) => !isActive);
export const mainBranch = ({ branches }: BranchList): Branch | undefined =>
  branches.find(({ isMain }) => isMain);

// `valid` exists once `status` was checked.
export const mayBeInvoiced = (vat: VatVerdict | CompanyVat): boolean =>
  (vat.status === "validated" || vat.status === "stale") && vat.valid;

export const labels = ({ results }: AutocompleteAnswer): string[] =>
  results.map(({ name, city }: AutocompleteItem) => `${name}, ${city ?? "?"}`);
export const rows = ({ results }: SearchAnswer): (string | undefined)[] =>
  results.map(({ postalCode }: SearchItem) => postalCode);
export const cities = ({ results }: BatchOf<BatchBasicCompany>): (string | undefined)[] =>
  results.map(({ address }) => address.city);
export const notFound = ({ failed }: Pick<BatchAnswer, "failed">): string[] =>
  failed.map(({ kvkNumber }) => kvkNumber);
export const settled = ({ results }: MatchOf): Matched[] =>
  results.filter(({ decision }) => decision === "matched");
// `decision` and `candidates` exist once `error` was checked.
export const best = (result: Matched): MatchCandidate | undefined =>
  result.error === undefined ? result.candidates[0] : undefined;
export const left = ({ tokens }: UsageAnswer): number => tokens.remaining;
export const isUp = ({ status }: HealthAnswer): boolean => status !== "down";

export const typed: AutocompleteQuery = { q: "goude", limit: 3 };
export const debtor: MatchQuery = { name: "Bakkerij de Goude Korenaar BV", city: "Amsterdam" };
export const found: SearchQuery = { city: "Utrecht", legalForm: "BV" };
export const today: LookupQuery & BranchesQuery & VatValidationQuery = { maxAge: 86_400 };
export const oneDay: readonly ErrorCode[] = ["UPSTREAM_ERROR", "SERVICE_UNAVAILABLE"];

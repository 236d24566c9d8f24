import {
  type AnswerInfo,
  type AutocompleteOptions,
  type Balance,
  type BatchOptions,
  type BatchProgress,
  type BranchesOptions,
  type CallOptions,
  type ClientOptions,
  type ErrorDetails,
  type Left,
  type LookupOptions,
  type MatchOptions,
  Opzoek,
  OpzoekError,
  type PartialBatch,
  type PartialMatch,
  type Typing,
  type TypingOptions,
  type VatOptions,
} from "@opzoek/client";

const log = ({ operation, status, attempt }: AnswerInfo): void => console.log(operation, status, attempt);
export const settings: ClientOptions = {
  baseUrl: "https://opzoek.example",
  key: async () => "opz_live_…",
  onAnswer: log,
};
const opzoek = new Opzoek(settings);

const hurried: CallOptions = { timeoutMs: 2_000, retries: 0 };
const fresh: LookupOptions & BranchesOptions = { ...hurried, maxAge: 3_600 };
const asOurselves: VatOptions = { ...hurried, requester: "NL912345603B01" };
const show = ({ done, total }: BatchProgress): void => console.log(`${done} of ${total}`);
const whole: BatchOptions = { enrich: true, onProgress: show };
const activeOnly: MatchOptions = { isActive: true, onProgress: show };
export const ask = (): Promise<unknown>[] => [
  opzoek.lookup("51234567", fresh),
  opzoek.branches("51234567", fresh),
  opzoek.vat("DE199999100", asOurselves),
  opzoek.batch(["51234567"], whole),
  opzoek.match([{ name: "Bakkerij de Goude Korenaar BV" }], activeOnly),
];

const ofAToken: TypingOptions = { session: "typing-session-0001" };
const field: Typing = opzoek.typing(ofAToken);
const few: AutocompleteOptions = { limit: 3 };
export const suggest = (text: string) => field.suggest(text, few);

export const paid = (error: OpzoekError): PartialBatch | PartialMatch | undefined =>
  error.partial ?? error.partialMatch;
export const isOver = ({ remaining }: Left): boolean => remaining === 0;
export const mustWait = ({ rate, tokens }: Balance): boolean =>
  (rate && isOver(rate)) || (tokens && isOver(tokens)) || false;

// An error for your own simulation.
const details: ErrorDetails = { status: 502, retryAfterSeconds: 1 };
export const outage = new OpzoekError("UPSTREAM_ERROR", "no answer", details);

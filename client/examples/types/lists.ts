import {
  type CallOptions,
  type ClientOptions,
  type DownloadOptions,
  type Job,
  type JobKind,
  type JobOptions,
  type JobRef,
  Jobs,
  type ListFormat,
  type MatchedRow,
  type PricedJob,
  type ResultLine,
  type ResultsOptions,
  type ResultsPart,
  type ResumeOptions,
  type RowCandidate,
  type SubmitOptions,
  type SubmittedJob,
  type VerifyOptions,
  verifyWebhook,
  type WaitOptions,
  type WebhookHeaders,
  type WebhookMessage,
} from "@opzoek/client/jobs";

const settings: ClientOptions = { baseUrl: "https://opzoek.example", key: "opz_live_…" };
const jobs = new Jobs(settings);
const kind = "lookup" satisfies JobKind;
const csv: ListFormat = "csv";
const each: SubmitOptions<"lookup"> = { kind, format: csv, maxTokens: 1_000 };
const patiently: WaitOptions = { timeoutMs: 3_600_000, throughPauses: true };
const hurried: JobOptions & ResultsOptions & Pick<CallOptions, "signal"> = { timeoutMs: 5_000 };

export const price = ({ tokens }: PricedJob): number => tokens.estimated ?? 0;
export const begun = (list: string): Promise<SubmittedJob<"lookup"> | PricedJob<"lookup">> =>
  jobs.submit(list, each);
export const whole = (job: JobRef<"lookup">) => jobs.wait(job, patiently);
export const further = (id: string, cap: ResumeOptions = { maxTokens: 2_000 }) => jobs.resume(id, cap);
export const share = ({ counts }: Job): number => counts.done / counts.numbers;
export const nameIn = (line: ResultLine<"lookup">): string => line.result?.name ?? line.error?.code ?? "";
export const certain = ({ decision, candidates }: MatchedRow): RowCandidate | undefined =>
  decision === "matched" ? candidates[0] : undefined;
export const lines = (job: SubmittedJob<"lookup">) => jobs.results(job, hurried);

const asCsv: DownloadOptions = { format: csv };
export async function* bytes(id: string) {
  for await (const part of jobs.download(id, asCsv)) yield (part satisfies ResultsPart).bytes;
}

const strictly: VerifyOptions = { toleranceSeconds: 60 };
export const read = (body: string, headers: WebhookHeaders, secret: string): Promise<WebhookMessage> =>
  verifyWebhook(body, headers, [secret], strictly);

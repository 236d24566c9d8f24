/** The public API of `@opzoek/client/jobs`. The errors come from `@opzoek/client`. */
export type { Job } from "../api/resources.ts";
export type { CallOptions, ClientOptions } from "../transport.ts";
export type { DownloadOptions, ResultsPart } from "./download.ts";
export { type JobOptions, Jobs, type ResultsOptions, type ResumeOptions } from "./jobs.ts";
export type { ListFormat, SubmitOptions } from "./submit.ts";
export type {
  JobKind,
  JobRef,
  MatchedRow,
  PricedJob,
  ResultLine,
  RowCandidate,
  SubmittedJob,
} from "./types.ts";
export type { WaitOptions } from "./wait.ts";
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookMessage,
  WebhookVerificationError,
} from "./webhook.ts";

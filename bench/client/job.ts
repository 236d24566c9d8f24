/** What the load client is asked and what it answers. It runs in its own process, so both cross as JSON. */
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";

export const CLIENTS = ["lean", "autocannon"] as const;

const JobSchema = Type.Object({
  client: Type.Enum([...CLIENTS]),
  /** Where the server listens: its connections are spread evenly over these. */
  ports: Type.Array(Type.Integer(), { minItems: 1 }),
  /** The calls, made in turn over all connections. */
  calls: Type.Array(
    Type.Object({
      method: Type.Enum(["GET", "POST"]),
      path: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.Optional(Type.String()),
    }),
    { minItems: 1 },
  ),
  connections: Type.Integer({ minimum: 1 }),
  seconds: Type.Number({ exclusiveMinimum: 0 }),
});
export type Job = Static<typeof JobSchema>;
export type Call = Job["calls"][number];

const OutcomeSchema = Type.Object({
  answers: Type.Integer(),
  elapsedMs: Type.Number(),
  /** Answers by status code. */
  statuses: Type.Record(Type.String(), Type.Integer()),
  /** The sum of `X-Tokens-Charged` over all answers; a client that does not read headers has none. */
  tokensCharged: Type.Optional(Type.Integer()),
  /** Share of one core that the client itself needed. */
  clientBusy: Type.Number(),
  latencies: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
  /** The body of the first answer with each status, cut: what to show when a status was not expected. */
  samples: Type.Record(Type.String(), Type.String()),
});
export type Outcome = Static<typeof OutcomeSchema>;

export function parseJob(message: unknown): Job {
  if (!Check(JobSchema, message)) throw new TypeError("the load client was sent something that is no job");
  return message;
}

/** @throws {Error} with the client's own words when it failed */
export function parseOutcome(message: unknown): Outcome {
  if (Check(OutcomeSchema, message)) return message;
  const failure = Check(Type.Object({ failure: Type.String() }), message) ? message.failure : "no outcome";
  throw new Error(`the load client failed: ${failure}`);
}

/** Compile-time errors of wrong use, and the inferred types of responses. */
import { describe, expectTypeOf, it } from "vitest";
import type {
  BasicCompany,
  BatchBasicCompany,
  BatchOf,
  CallOptions,
  Company,
  CompanyVat,
  Matched,
  MatchQuery,
  Opzoek,
  Route,
  RouteOptions,
  UsageAnswer,
  VatVerdict,
} from "../../client/src/index.ts";
import type { Jobs, PricedJob, ResultLine, SubmittedJob } from "../../client/src/jobs/index.ts";
import type { Job } from "../../src/contract/jobs.ts";
import type { MatchResult, SentMatchQuery } from "../../src/contract/matchResources.ts";
import type * as contract from "../../src/contract/resources.ts";
import type { Vat, VatValidation } from "../../src/contract/vatResources.ts";
import type { ResultLine as ServiceLine } from "../../src/jobs/listWork.ts";

type Has<T, Name extends string> = T extends unknown ? (Name extends keyof T ? true : false) : never;

describe("the types of the client", () => {
  it("give `valid` only after `status` was checked", () => {
    // Members common to the whole union can be read unchecked: `valid` is not one of them.
    expectTypeOf<keyof VatVerdict>().extract<"valid">().toEqualTypeOf<never>();
    expectTypeOf<keyof VatVerdict>().extract<"status">().toEqualTypeOf<"status">();
    expectTypeOf<keyof CompanyVat>().extract<"valid">().toEqualTypeOf<never>();
    const read = (verdict: VatVerdict): boolean | undefined => {
      if (verdict.status === "malformed") {
        expectTypeOf<Has<typeof verdict, "valid">>().toEqualTypeOf<false>();
        return undefined;
      }
      if (verdict.status === "stale") expectTypeOf(verdict.ageSeconds).toEqualTypeOf<number>();
      return verdict.valid;
    };
    expectTypeOf(read).returns.toEqualTypeOf<boolean | undefined>();
  });

  it("know every status of the contract, and no other field", () => {
    expectTypeOf<VatVerdict["status"]>().toEqualTypeOf<VatValidation["status"]>();
    expectTypeOf<CompanyVat["status"]>().toEqualTypeOf<Vat["status"]>();
    type Fields<T> = T extends unknown ? keyof T : never;
    expectTypeOf<Fields<VatVerdict>>().toEqualTypeOf<keyof VatValidation>();
    expectTypeOf<Fields<CompanyVat>>().toEqualTypeOf<keyof Vat>();
    expectTypeOf<keyof Company>().toEqualTypeOf<keyof contract.Company>();
  });

  it("accept the contract's own types", () => {
    expectTypeOf<contract.BasicCompany>().toExtend<BasicCompany>();
    expectTypeOf<Omit<contract.Company, "vat">>().toExtend<Omit<Company, "vat">>();
    expectTypeOf<contract.BatchBasicCompany>().toExtend<BatchBasicCompany>();
  });

  it("give an enriched company to callers that requested one, and a basic one to others", () => {
    const calls = (opzoek: Opzoek) => ({
      basic: opzoek.lookup("51234567"),
      enriched: opzoek.lookup("51234567", { enrich: true }),
      batch: opzoek.batch(["51234567"]),
      enrichedBatch: opzoek.batch(["51234567"], { enrich: true }),
    });
    expectTypeOf(calls).returns.toEqualTypeOf<{
      basic: Promise<BasicCompany>;
      enriched: Promise<Company>;
      batch: Promise<BatchOf<BatchBasicCompany>>;
      enrichedBatch: Promise<BatchOf<Company>>;
    }>();
  });

  it("give the candidates of a match only after `error` was checked", () => {
    const read = (result: Matched): number => {
      if (result.error !== undefined) return 0;
      expectTypeOf(result.decision).toEqualTypeOf<"matched" | "ambiguous" | "none">();
      return result.candidates.length;
    };
    expectTypeOf(read).returns.toEqualTypeOf<number>();
    expectTypeOf<keyof Matched>().toEqualTypeOf<keyof MatchResult>();
    expectTypeOf<MatchQuery>().toEqualTypeOf<Readonly<SentMatchQuery>>();
  });

  it("infer a list's kind from sending to results", () => {
    const calls = (jobs: Jobs) => ({
      priced: jobs.submit([], { kind: "vat", dryRun: true }),
      sent: jobs.submit([], { kind: "vat" }),
    });
    expectTypeOf(calls).returns.toEqualTypeOf<{
      priced: Promise<PricedJob<"vat">>;
      sent: Promise<SubmittedJob<"vat">>;
    }>();
    const read = (jobs: Jobs, job: SubmittedJob<"vat">) => jobs.results(job);
    expectTypeOf(read).returns.toEqualTypeOf<AsyncGenerator<ResultLine<"vat">, void, undefined>>();
    type Result<Kind extends SubmittedJob["kind"]> = NonNullable<ResultLine<Kind>["result"]>;
    expectTypeOf<Result<"vat">>().toEqualTypeOf<VatVerdict>();
    expectTypeOf<Result<"lookup">>().toEqualTypeOf<BasicCompany>();
    expectTypeOf<Result<"lookup.enriched">>().toEqualTypeOf<Company>();
  });

  it("know the input and the response of every endpoint", () => {
    const calls = (opzoek: Opzoek) => ({
      company: opzoek.request("GET /v1/lookup/{kvkNumber}", { path: { kvkNumber: "51234567" } }),
      verdict: opzoek.request("GET /v1/validate/vat/{vatNumber}", { path: { vatNumber: "" }, query: {} }),
      usage: opzoek.request("GET /v1/usage"),
      results: opzoek.request("GET /v1/jobs/{jobId}/results", { path: { jobId: "" }, timeoutMs: 1 }),
    });
    expectTypeOf(calls).returns.toEqualTypeOf<{
      company: Promise<Company>;
      verdict: Promise<VatVerdict>;
      usage: Promise<UsageAnswer>;
      results: Promise<Response>;
    }>();
    type Given<R extends Route> = Parameters<typeof Opzoek.prototype.request<R>>;
    expectTypeOf<["GET /v1/usage"]>().toExtend<Given<"GET /v1/usage">>();
    expectTypeOf<["POST /v1/match"]>().not.toExtend<Given<"POST /v1/match">>();
    expectTypeOf<["GET /v1/lookup/{kvkNumber}"]>().not.toExtend<Given<"GET /v1/lookup/{kvkNumber}">>();
    expectTypeOf<RouteOptions<"GET /v1/lookup/{kvkNumber}">["path"]>().toEqualTypeOf<{
      readonly kvkNumber: string;
    }>();
    expectTypeOf<keyof RouteOptions<"GET /v1/usage">>().toEqualTypeOf<keyof CallOptions>();
    type Settings = RouteOptions<"PATCH /v1/monitor-settings">["body"];
    expectTypeOf<Settings["maxTokens"]>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<string>().not.toExtend<Route>();
  });

  it("accept the service's own list objects", () => {
    expectTypeOf<Job>().toExtend<Partial<SubmittedJob>>();
    expectTypeOf<SubmittedJob>().toExtend<Job>();
    expectTypeOf<Extract<ServiceLine, { error: unknown }>>().toExtend<ResultLine>();
    type Result = Extract<ServiceLine, { result: unknown }>;
    expectTypeOf<keyof Extract<Result, { number: string }>>().toEqualTypeOf<"number" | "result">();
    expectTypeOf<keyof Extract<Result, { row: number }>>().toEqualTypeOf<"row" | "id" | "result">();
  });
});

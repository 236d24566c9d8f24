import type { FastifyInstance } from "fastify";
import { type Answer, inject, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";

/** A result of a match call. */
export interface Result {
  readonly id: string;
  readonly decision?: string;
  readonly candidates?: readonly { readonly kvkNumber: string; readonly features: object }[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** Matches queries; `options` are further fields of the body, the rest changes the request. */
export type MatchCall = (
  queries: unknown,
  more?: Partial<TestRequest> & { readonly options?: object },
) => Promise<Answer>;

/** Finds the bakery of the test companies. */
export const BAKERY_QUERY = { name: "Bakkerij de Fabelkorst", city: "Verzinstad" };
/** Finds no company. */
export const NOBODY = { name: "Quixotische Zwijgzame Xylofonen" };

export function matchCall(app: FastifyInstance, key: string): MatchCall {
  return (queries, { options, ...more } = {}) =>
    inject(app, { method: "POST", path: "/v1/match", key, body: { queries, ...options }, ...more });
}

export function resultsOf(answer: Answer): readonly Result[] {
  return (jsonOf(answer) as { results: readonly Result[] }).results;
}

export function charged(answer: Answer): number {
  return numberIn(answer, "x-tokens-charged");
}

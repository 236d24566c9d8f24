/** A service, and the calls of a reconciliation client. */

import { type Answer, inject } from "../kit/answer.ts";
import { composeInProcess, type InProcess, type InProcessOptions } from "../kit/inProcess.ts";
import { makeWorld, type WorldOptions } from "../kit/world.ts";

export const PATH = "/v1/reconcile";

export function form(fields: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

export const FORM = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };

/** Posts a form as OpenRefine does: with the key in the address. */
export function post(
  { app }: Pick<InProcess, "app">,
  key: string,
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return inject(app, {
    method: "POST",
    path: `${PATH}?apikey=${key}`,
    body: form(fields),
    headers: { ...FORM, ...headers },
  });
}

export async function serve(world: WorldOptions = {}, options: InProcessOptions = {}): Promise<InProcess> {
  return composeInProcess(await makeWorld(world), options);
}

/** The result of a query. */
export interface Result {
  readonly result: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly score: number;
    readonly match: boolean;
    readonly features: readonly { readonly id: string; readonly value: number }[];
    readonly type: readonly { readonly id: string }[];
  }[];
  readonly error?: { readonly code: string; readonly message: string };
}

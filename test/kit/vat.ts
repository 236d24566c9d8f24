/** The composed app with its own simulated VIES. */
import type { ViesSimulator, ViesSimulatorOptions } from "../../src/demo/vies/server.ts";
import { type Answer, inject } from "./answer.ts";
import { composeInProcess, type InProcess } from "./inProcess.ts";
import { startVies } from "./vies.ts";
import { makeWorld, type TestAccount, type WorldOptions } from "./world.ts";

export interface OverVies {
  readonly vies: ViesSimulator;
  readonly service: InProcess;
  /** An account of the tier `plenty`. */
  readonly account: TestAccount;
  /** Validates a number; the path after it may contain a query. */
  validate(numberAndQuery: string, key?: string): Promise<Answer>;
}

/** The path that validates a number; a query may follow it. */
export function validationOf(numberAndQuery: string): string {
  return `/v1/validate/vat/${numberAndQuery}`;
}

/** Composes the service with a simulator; both are closed after the file's tests. */
export async function composeOverVies(
  options: WorldOptions & { readonly vies?: ViesSimulatorOptions } = {},
): Promise<OverVies> {
  const vies = await startVies(options.vies);
  const world = await makeWorld({
    companies: [],
    ...options,
    environment: { VIES_URL: vies.url, ...options.environment },
  });
  const service = await composeInProcess(world);
  const account = await service.account("plenty");
  return {
    vies,
    service,
    account,
    validate: (numberAndQuery, key = account.key) =>
      inject(service.app, { path: validationOf(numberAndQuery), key }),
  };
}

/** A verdict's fields, without those that are only sometimes known. */
export interface ReceivedVerdict {
  readonly vatNumber: string;
  readonly valid: boolean;
  readonly status: string;
  readonly checksumValid: boolean;
  readonly validatedAt?: string;
  readonly name?: string;
  readonly address?: string;
  readonly ageSeconds?: number;
  readonly consultationNumber?: string;
}

/** The verdict in a response. @throws for an error response */
export function verdictIn({ status, text }: Answer): ReceivedVerdict {
  if (status !== 200) throw new Error(`not a verdict: ${status} ${text}`);
  return JSON.parse(text) as ReceivedVerdict;
}

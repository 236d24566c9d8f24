/** The composed app over a simulated VIES of its own. */
import type { ViesSimulator, ViesSimulatorOptions } from "../../src/simulators/vies/server.ts";
import { type Answer, inject } from "./answer.ts";
import { composeInProcess, type InProcess } from "./inProcess.ts";
import { startVies } from "./vies.ts";
import { makeWorld, type TestAccount, type WorldOptions } from "./world.ts";

export interface OverVies {
  readonly vies: ViesSimulator;
  readonly service: InProcess;
  /** Of the tier `plenty`. */
  readonly account: TestAccount;
  /** Asks about a number; what follows it in the path may hold a query. */
  validate(numberAndQuery: string, key?: string): Promise<Answer>;
}

/** Where a number is validated; what follows it may hold a query. */
export function validationOf(numberAndQuery: string): string {
  return `/v1/validate/vat/${numberAndQuery}`;
}

/** Composes the service over a simulator; both are closed when the file's tests have ended. */
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

/** What a verdict carries, beside what is only known sometimes. */
export interface Told {
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

/** The verdict in an answer. @throws when it is an error */
export function toldIn({ status, text }: Answer): Told {
  if (status !== 200) throw new Error(`this is no verdict: ${status} ${text}`);
  return JSON.parse(text) as Told;
}

import { onTestFinished } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { LEGAL_FORM_CODES } from "../../src/contract/legalForms.ts";
import { type KvkNumber, parseKvkNumber } from "../../src/contract/numbers.ts";
import { ODD_COMPANIES } from "../../src/demo/kvk/oddCompanies.ts";
import { type KvkSimulator, type KvkSimulatorOptions, startKvkSimulator } from "../../src/demo/kvk/server.ts";
import { KvkApi, type KvkApiOptions } from "../../src/kvk/api/kvkApi.ts";
import { kvkOverHttp } from "../../src/kvk/api/upstream.ts";
import type { CallBudget, PaidBy } from "../../src/kvk/liveSource.ts";
import { freePort } from "./freePort.ts";

/** A simulator on a free port that is stopped after the test; it has no rate limits unless set. */
export async function simulator(options: KvkSimulatorOptions = {}): Promise<KvkSimulator> {
  const unlimited = { perSecond: 1_000_000, openDataPerMinute: 1_000_000 };
  const started = await startKvkSimulator({ ...unlimited, port: await freePort(), ...options });
  onTestFinished(() => started.stop());
  return started;
}

/** A budget that counts and is unlimited by default. */
export function budgetOf(most = Number.POSITIVE_INFINITY) {
  const spent: PaidBy[] = [];
  return {
    async spend(payer) {
      if (spent.length >= most) return "budget";
      spent.push(payer);
      return {
        refund: async () => {
          spent.splice(spent.indexOf(payer), 1);
        },
        ended: () => {},
      };
    },
    get spent() {
      return spent.length;
    },
    /** The payer of each call, in order. */
    get payers(): readonly PaidBy[] {
      return spent;
    },
  } satisfies CallBudget & Record<string, unknown>;
}

/** The live source with a simulator, and timeouts that tolerate a stalled machine; closed after the test. */
export function apiOver(
  { url, apiKey }: Pick<KvkSimulator, "url" | "apiKey">,
  more: Partial<KvkApiOptions> = {},
): KvkApi {
  const api = new KvkApi({
    upstream: kvkOverHttp({ baseUrl: url, apiKey }),
    budget: budgetOf(),
    callWithinMs: 120_000,
    firstRetryAfterMs: 1,
    perSecond: 1_000_000,
    ...more,
  });
  onTestFinished(() => api.close());
  return api;
}

/** Parses a valid KVK number. */
export function kvk(text: string): KvkNumber {
  const number = parseKvkNumber(text);
  if (number === undefined) throw new RangeError(`${text} is not a KVK number`);
  return number;
}

/** Forty companies: every odd shape, and at least one of every legal form. */
export function forty({ register }: Pick<KvkSimulator, "register">): readonly CompanyFacts[] {
  const odd = ODD_COMPANIES.map(({ facts }) => facts);
  const all = [...register.all].map(({ facts }) => facts).filter((facts) => !odd.includes(facts));
  const ofEachForm = LEGAL_FORM_CODES.flatMap((form) => {
    const first = all.find(({ legalForm }) => legalForm === form);
    return first === undefined ? [] : [first];
  });
  const more = all.filter((facts) => (facts.branches?.length ?? 0) > 1 && !ofEachForm.includes(facts));
  return [...new Set([...odd, ...ofEachForm, ...more])].slice(0, 40);
}

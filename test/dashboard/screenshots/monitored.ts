import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { CompanyFacts, SourcedFacts } from "../../../src/company/facts.ts";
import type { ChangeEvent } from "../../../src/contract/monitors.ts";
import { importFacts } from "../../../src/registry/importFacts.ts";

const CHANGES: readonly ((facts: CompanyFacts) => Partial<CompanyFacts>)[] = [
  () => ({ isActive: false, deregistrationDate: "2026-10-31" }),
  ({ name }) => ({ name: `${name.split(" ").slice(0, 2).join(" ")} Holding B.V.`, legalForm: "BV" }),
  () => ({
    activities: [{ sbiCode: "56210", description: "Cateringdiensten op evenementen", isMain: true }],
  }),
  ({ address }) => ({
    address: { ...address, kind: "visiting", street: "Molenkade", houseNumber: "12-A", city: "Utrecht" },
  }),
];

/** Monitors companies with a key, publishes changes of some, and waits for their events. */
export async function monitorCompanies(
  app: FastifyInstance,
  key: string,
  directory: string,
  companies: readonly SourcedFacts[],
): Promise<void> {
  const ask = async (method: "GET" | "POST", url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.body}`);
    return answer.json<{ events: readonly ChangeEvent[] }>();
  };
  await ask("POST", "/v1/webhook-secret");
  for (const [nth, { facts }] of companies.entries()) {
    await ask("POST", "/v1/monitors", {
      kvkNumbers: [facts.kvkNumber],
      metadata: { name: facts.name },
      ...(nth % 4 === 1 && { events: ["company.deregistered", "company.insolvency_changed"] }),
      ...(nth % 5 === 2 && { webhook: "https://crm.korenmolen.example/hooks/opzoek" }),
    });
  }
  const changed = CHANGES.flatMap((change, nth) => {
    const company = companies[nth * 4];
    if (company === undefined) return [];
    return [
      { ...company, asOf: new Date().toISOString(), facts: { ...company.facts, ...change(company.facts) } },
    ];
  });
  await importFacts(directory, changed, { replace: false });
  while ((await ask("GET", "/v1/changes")).events.length < CHANGES.length) await wait(200);
}

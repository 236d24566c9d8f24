import fastify from "fastify";
import { hashKey, isWellFormedKey } from "../../src/contract/keyForm.ts";
import { lookup } from "../../src/http/endpoints/lookup.ts";
import { NAMED_SCHEMAS } from "../../src/http/namedSchemas.ts";
import { balanceHeaders } from "../../src/http/sending.ts";
import type { Balance } from "../../src/metering/store.ts";
import { type PartCost, timeWork } from "./timing.ts";

const CALLS = 100_000;

const BALANCE: Balance = {
  accountId: "acc_of_nobody",
  tierName: "unlimited",
  rateLimit: 1_000_000,
  rateRemaining: 999_999,
  rateResetSeconds: 1_800_000_000,
  tokensLimit: 1_000_000,
  tokensUsed: 1,
  tokensRemaining: 999_999,
  tokensResetSeconds: 1_800_000_000,
  month: 24_000,
  nowMs: 1_799_999_990_000,
};

/** What stands around the registry and the store in every answer: the key's hash, the body, the headers. */
export async function answerParts(key: string, company: unknown): Promise<PartCost[]> {
  const parts = [
    timeWork("key: form and check", CALLS, () => isWellFormedKey(key)),
    timeWork("key: SHA-256", CALLS, () => hashKey(key)),
  ];
  const app = fastify();
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  // The serialiser and the headers of a reply exist only while a call is answered: they are timed inside one.
  app.get("/", { schema: { response: { 200: lookup.schema.response } } }, (_request, reply) => {
    parts.push(
      timeWork("body: a basic company to JSON by its schema", CALLS, () => reply.serialize(company)),
      timeWork("headers: rate and tokens set on the reply", CALLS, () =>
        reply.headers(balanceHeaders({ balance: BALANCE, tokens: 1 })),
      ),
    );
    reply.send(company);
  });
  await app.inject("/");
  await app.close();
  return parts;
}

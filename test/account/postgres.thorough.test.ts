import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { makeWorld } from "../kit/world.ts";
import { accountSuite } from "./accountSuite.ts";

const server = await sharedPostgres();
let databases = 0;

accountSuite("on PostgreSQL", async (options = {}) => {
  const DATABASE_URL = await server.database(`account_${++databases}`);
  return makeWorld({ ...options, environment: { ...options.environment, DATABASE_URL } });
});

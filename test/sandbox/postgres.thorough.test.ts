import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { makeWorld } from "../kit/world.ts";
import { testKeySuite } from "./suite.ts";

const server = await sharedPostgres();

testKeySuite("on PostgreSQL", async (options = {}) => {
  const DATABASE_URL = await server.database("test_keys");
  return makeWorld({ ...options, environment: { ...options.environment, DATABASE_URL } });
});

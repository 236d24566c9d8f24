/** The simulated KVK in a process of its own: says where it is, and ends with its parent. */
import { startKvkSimulator } from "../../src/simulators/kvk/server.ts";
import { kvkCompanies } from "./companies.ts";

process.on("disconnect", () => process.exit(0));
const { url, apiKey } = await startKvkSimulator({ companies: kvkCompanies() });
process.send?.({ url, apiKey });

/** The simulated VIES in a process of its own: says where it is, and ends with its parent. */
import { startViesSimulator } from "../../src/simulators/vies/server.ts";

process.on("disconnect", () => process.exit(0));
const { url, controlUrl } = await startViesSimulator();
process.send?.({ url, controlUrl });

import { expect, it } from "vitest";
import { reserveAddress } from "./reservedAddress.ts";

it.runIf(process.platform === "linux")(
  "refuses a reserved address to another service, under any of its names, even before anything listens there",
  async () => {
    const held = await reserveAddress("127.0.0.1", 0);
    const { port } = held;
    for (const host of ["127.0.0.1", "127.1"]) {
      await expect(reserveAddress(host, port)).rejects.toThrow(
        `port ${port} on ${host} is in use: stop the program`,
      );
    }
    const sibling = await reserveAddress("127.0.0.2", port);
    await held.release();
    const again = await reserveAddress("127.0.0.1", port);
    await Promise.all([sibling.release(), again.release()]);
  },
);

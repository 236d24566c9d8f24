/** `opzoek doctor` connects to the services that it checks. */
import { once } from "node:events";
import { createServer as createSilent } from "node:net";
import { describe, expect, it } from "vitest";
import { startMailServer } from "../kit/mailServer.ts";
import { servingPort } from "../kit/server.ts";
import { startService } from "../kit/service.ts";
import { makeWorld } from "../kit/world.ts";
import { doctor } from "./doctorReport.ts";

const AWAY = "http://127.0.0.1:1";

describe("opzoek doctor", () => {
  it("connects to the mail server, and finds one that is unreachable, refuses the password, or stays silent", async () => {
    const { environment } = await makeWorld({ companies: [] });
    const server = await startMailServer();
    const foundFor = (url: string) =>
      doctor({ ...environment, PUBLIC_URL: AWAY, SMTP_URL: url }).then(({ bad }) => bad.get("mail"));
    expect(await foundFor(server.url)).toBeUndefined();
    const { port } = new URL(server.url);
    expect(await foundFor(`smtp://opzoek:tr0ub4dor@127.0.0.1:${port}`)).toMatch(
      new RegExp(
        `^problem: no mail can be sent through port ${port} of 127\\.0\\.0\\.1 \\((?:the mail server answered 5[0-9]+|EAUTH)\\)$`,
      ),
    );
    expect(await foundFor("smtp://opzoek:tr0ub4dor@127.0.0.1:1")).toMatch(
      /^problem: no mail can be sent through port 1 of 127\.0\.0\.1 \(E[A-Z]+\)$/,
    );
    const silent = createSilent(() => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const silentPort = typeof address === "object" && address !== null ? address.port : 0;
    expect(await foundFor(`smtp://127.0.0.1:${silentPort}`)).toMatch(
      /^problem: .*(?:does not answer|\(ETIMEDOUT\))/,
    );
    silent.close();
    expect(server.mails).toEqual([]);
  });

  it("finds a port that another program uses", async () => {
    const { environment } = await makeWorld({ companies: [] });
    const taken = await servingPort((_, response) => response.writeHead(404).end());
    const { bad } = await doctor({ ...environment, PORT: String(taken) });
    expect(bad.get("port")).toMatch(new RegExp(`^problem: port ${taken} on 127\\.0\\.0\\.1 is in use`));
    const { bad: served } = await doctor({
      ...environment,
      PORT: String((await startService({ environment })).port),
    });
    expect(served.has("port")).toBe(false);
  });
});

/** The simulators of the command line: the printed commands work, and they end properly. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { CURLS } from "../kit/curls.ts";
import { describeWith } from "../kit/needs.ts";
import { startOpzoek } from "../kit/opzoek.ts";
import { until } from "../kit/until.ts";

const shell = promisify(execFile);

interface Shown {
  readonly name: string;
  /** The service setting that it prints. */
  readonly setting: RegExp;
  /** A part of each response, in the order of the printed lines. */
  readonly answers: readonly string[];
  /** A part of the first response once the fault is set. */
  readonly underFault: string;
}

const SIMULATORS: readonly Shown[] = [
  {
    name: "kvk",
    setting: /KVK_API_URL=http:\/\/127\.0\.0\.1:[0-9]+\/api KVK_API_KEY=\S+/,
    answers: [
      '"naam":"Eenzame Appel"',
      '"kvkNummer":"90000010"',
      '"totaal":50',
      '"IPD9999"',
      '"maxPerSecond"',
    ],
    underFault: "IPD9999",
  },
  {
    name: "court",
    setting: /CIR_URL=http:\/\/127\.0\.0\.1:[0-9]+\/cir\.asmx CIR_USER=\S+ CIR_PASSWORD=\S+/,
    answers: ["{}", '"today":"2', '"exceptie"', '"operations"'],
    underFault: "searchModifiedSince",
  },
  {
    name: "vies",
    setting: /VIES_URL=http:\/\/127\.0\.0\.1:[0-9]+\/taxation_customs\/vies\/rest-api/,
    answers: ['"name":"POSTDUIF B.V."', '"availability":"Available"', '"MS_UNAVAILABLE"', '"maxInFlight"'],
    underFault: "MS_UNAVAILABLE",
  },
];

for (const curl of CURLS) {
  describeWith(curl.need, `with ${curl.name}`, () => {
    it.concurrent.each(SIMULATORS)(
      "$name prints calls that work, fails as configured, and ends on SIGTERM",
      async (shown) => {
        const program = startOpzoek(["simulate", shown.name], { PATH: process.env["PATH"] });
        try {
          await until("it says how to stop it", () => program.err().includes("Ctrl-C"));
          expect(program.err()).toMatch(shown.setting);
          const curls = program
            .err()
            .split("\n")
            .filter((line) => line.trim().startsWith("curl "));
          const env = { PATH: curl.path() };
          const answer = async (line = "") =>
            (await shell("sh", ["-c", `${line.trim()} -s`], { env })).stdout;
          const answers: string[] = [];
          for (const line of curls) answers.push(await answer(line));
          expect(answers).toEqual(shown.answers.map((part) => expect.stringContaining(part)));
          expect(await answer(curls[0])).toContain(shown.underFault);
        } finally {
          program.child.kill("SIGTERM");
        }
        expect((await program.ended).code).toBe(0);
      },
    );
  });
}

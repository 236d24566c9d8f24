import { SMTPServer } from "smtp-server";
import { afterFile } from "./afterFile.ts";
import { until } from "./until.ts";

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The source of the mail. */
  readonly raw: string;
}

export interface MailServer {
  readonly url: string;
  readonly mails: readonly Received[];
  /** Mails received in full but rejected, by a status code or by silence. */
  readonly refused: readonly Received[];
  /** Waits for the given number of mails to an address and returns them. */
  to(address: string, count?: number): Promise<readonly Received[]>;
  /** Rejects mails from now on with a status code or silence; undefined accepts them again. */
  fail(answer: number | "silence" | undefined): void;
}

/** A real mail server on a free port; stopped after the file's tests. */
export async function startMailServer(): Promise<MailServer> {
  const mails: Received[] = [];
  const refused: Received[] = [];
  let failing: number | "silence" | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const raw = Buffer.concat(parts).toString("utf8");
        const { mailFrom, rcptTo } = session.envelope;
        const list = failing === undefined ? mails : refused;
        list.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          subject: decodedHeader(raw, "Subject"),
          text: decodedBody(raw),
          raw,
        });
        if (failing === undefined) done();
        else if (failing !== "silence") {
          done(Object.assign(new Error("not now"), { responseCode: failing }));
        }
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  afterFile(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const sentTo = (email: string) => mails.filter(({ to }) => to.includes(email));
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    refused,
    async to(email, count = 1) {
      await until(`${count} mails to ${email}`, () => sentTo(email).length >= count);
      return sentTo(email);
    },
    fail(answer) {
      failing = answer;
    },
  };
}

/** The token of the link in a mail. */
export function tokenIn({ text }: Received): string {
  const found = /#[a-z]+=([A-Za-z0-9_-]{43})$/m.exec(text)?.[1];
  if (found === undefined) throw new Error(`no link in ${text}`);
  return found;
}

function decodedHeader(raw: string, name: string): string {
  const line = new RegExp(`^${name}: ((?:.*)(?:\\r\\n[ \\t].*)*)`, "m").exec(raw)?.[1] ?? "";
  return line
    .replace(/\r\n[ \t]/g, " ")
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_all, text: string) => unquoted(text.replaceAll("_", " ")));
}

function decodedBody(raw: string): string {
  const body = raw.slice(raw.indexOf("\r\n\r\n") + 4);
  const encoding = /^Content-Transfer-Encoding: (.*)$/im.exec(raw)?.[1]?.trim().toLowerCase();
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  const text = encoding === "quoted-printable" ? unquoted(body.replace(/=\r\n/g, "")) : body;
  return text.replaceAll("\r\n", "\n");
}

function unquoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

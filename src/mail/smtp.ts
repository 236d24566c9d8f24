import { createTransport } from "nodemailer";
import { emailAddress } from "../contract/emailAddress.ts";
import { type Post, UnmailableAddress } from "./post.ts";

const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 20_000;
const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/;

/**
 * The mail server of an address `smtp://` (STARTTLS, which is insisted on but for this machine) or `smtps://`.
 * @param from the sender that people see
 */
export function smtpPost(address: string, from: string): Post {
  const url = new URL(address);
  const isTls = url.protocol === "smtps:";
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isTls ? 465 : 587) : Number(url.port),
    secure: isTls,
    requireTLS: !isTls && !LOOPBACK.test(url.hostname),
    ...(url.username !== "" && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async deliver({ to, subject, text }) {
      if (emailAddress(to) !== to) throw new UnmailableAddress();
      // As objects: nothing in an address can add another one.
      await transport.sendMail({
        from: { name: "Opzoek", address: from },
        to: { name: "", address: to },
        subject,
        text,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
    close: () => transport.close(),
  };
}

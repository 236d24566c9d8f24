import { createTransport } from "nodemailer";
import { emailAddress } from "../../contract/emailAddress.ts";
import { type Post, smtpPlace, UnmailableAddress } from "./post.ts";

const CONNECT_WITHIN_MS = 10_000;
const RESPONSE_WITHIN_MS = 20_000;
const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/;

/** Connects to `smtp://` (with STARTTLS, which only loopback addresses may lack) or `smtps://`. */
function transportTo(address: string) {
  const url = new URL(address);
  const isTls = url.protocol === "smtps:";
  return createTransport({
    ...smtpPlace(address),
    secure: isTls,
    requireTLS: !isTls && !LOOPBACK.test(url.hostname),
    ...(url.username !== "" && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: RESPONSE_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects to a mail server and signs in without sending a mail. @throws when that fails */
export async function verifySmtp(address: string): Promise<void> {
  const transport = transportTo(address);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Sends letters through the mail server at an address. @param from the sender's address */
export function smtpPost(address: string, from: string): Post {
  const transport = transportTo(address);
  return {
    async deliver({ to, subject, text }) {
      if (emailAddress(to) !== to) throw new UnmailableAddress();
      // As objects, so that an address cannot add another one.
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

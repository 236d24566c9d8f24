import { once } from "node:events";
import { connect as connectPlainly, createServer } from "node:net";
import { connect, getCACertificates } from "node:tls";
import { mailFailureReason as reasonOfMail } from "../../accounts/mail/outbox.ts";
import { smtpPlace } from "../../accounts/mail/post.ts";
import type { Health } from "../../http/endpoint.ts";
import { LIVE_PATH } from "../../http/probes.ts";
import { cannotListen } from "../../http/server.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { hasZone } from "../../peppol/client.ts";
import type { Settings } from "../settings/settings.ts";
import { type Finding, good, problem, reasonOf, warning } from "./diagnosis.ts";

const WITHIN_MS = 4_000;
/** A mail server may answer slowly on purpose, to deter senders of spam. */
const MAIL_WITHIN_MS = 10_000;
/** Larger than any answer that is read. */
const MAX_BYTES = 1_048_576;
const MAX_SKEW_MS = 30_000;
/** Rate windows and months that are further ahead are reset; see `periods.ts`. */
const WRONG_CLOCK_MS = 300_000;

/** The last answer with a Date header, which this machine's clock is compared with. */
export interface ClockSample {
  /** The offset of that server's clock in milliseconds; its resolution is a second. */
  aheadMs?: number;
  of?: string;
}

async function fetchText(
  url: string,
  sample: ClockSample,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS), redirect: "manual" });
  const serverMs = Date.parse(response.headers.get("date") ?? "");
  if (!Number.isNaN(serverMs)) {
    sample.aheadMs = serverMs - Date.now();
    sample.of = new URL(url).host;
  }
  return { status: response.status, text: await textOf(response) };
}

/** Limits the response, because the server is untrusted and may send endlessly. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString("utf8");
}

/** Returns an address without user and password, for messages. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}

/** Some errors quote the requested address. */
function messageOf(error: unknown, url: string): string {
  return reasonOf(error).replaceAll(url, placeOf(url));
}

/** Checks the status page of VIES, which needs no VAT number. */
export async function vies({ VIES_URL }: Pick<Settings, "VIES_URL">, sample: ClockSample): Promise<Finding> {
  const url = `${VIES_URL}/check-status`;
  const remedy =
    "until then VAT numbers get an earlier verdict or UPSTREAM_ERROR; check VIES_URL and the firewall";
  try {
    const { status, text } = await fetchText(url, sample);
    if (status !== 200) return warning(`VIES returns ${status} at ${placeOf(url)}`, remedy);
    return hasAll(text, ["countries"])
      ? good(`VIES answers at ${placeOf(VIES_URL)}`)
      : warning(`the server at ${placeOf(url)} is not VIES`, remedy);
  } catch (error) {
    return warning(`VIES does not answer at ${placeOf(url)} (${messageOf(error, url)})`, remedy);
  }
}

/** Checks whether KVK's server can be reached and is trusted, without a call, which would cost money. */
export async function kvk({ KVK_API_URL, KVK_API_KEY, KVK_API_CA }: Settings): Promise<Finding> {
  if (KVK_API_KEY === undefined) return good("not checked: KVK_API_KEY is not set");
  const remedy = "check the network and KVK_API_URL; if its certificate is not trusted, check KVK_API_CA";
  return connection("KVK", KVK_API_URL, remedy, KVK_API_CA);
}

/** Checks whether KVK's open data can be reached, without a call, because it allows very few. */
export async function openData({ KVK_OPEN_DATA_URL, KVK_OPEN_DATA_PER_MINUTE }: Settings): Promise<Finding> {
  if (KVK_OPEN_DATA_PER_MINUTE === 0) return good("not checked: KVK_OPEN_DATA_PER_MINUTE is 0");
  return connection("KVK's open data", KVK_OPEN_DATA_URL, "check the network and KVK_OPEN_DATA_URL");
}

/** Checks whether the zone of Peppol's participants exists: without it no company would seem to be registered. */
export async function peppol({ PEPPOL, PEPPOL_ZONE, PEPPOL_DNS }: Settings): Promise<Finding> {
  if (PEPPOL === "off") return good("not checked: PEPPOL is off");
  const nameServers = PEPPOL_DNS.length === 0 ? undefined : PEPPOL_DNS;
  return (await hasZone({ nameServers }, PEPPOL_ZONE, AbortSignal.timeout(WITHIN_MS)))
    ? good(`the zone ${PEPPOL_ZONE} exists; no participant was asked about`)
    : warning(
        `the zone ${PEPPOL_ZONE} is not found`,
        "check the network, PEPPOL_ZONE and PEPPOL_DNS: Peppol's zone moves now and then",
      );
}

/** Connects to the host of an address, and checks its certificate. */
export async function connection(
  what: string,
  url: string,
  remedy: string,
  extraCertificates?: string,
): Promise<Finding> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isTls = protocol === "https:";
  const to = { host, port: Number(port === "" ? (isTls ? 443 : 80) : port) };
  const ca = [
    ...getCACertificates("default"),
    ...(extraCertificates === undefined ? [] : [extraCertificates]),
  ];
  const socket = isTls ? connect({ ...to, servername: host, ca }) : connectPlainly(to);
  try {
    await once(socket, isTls ? "secureConnect" : "connect", { signal: AbortSignal.timeout(WITHIN_MS) });
    return good(
      `${what} can be reached at ${hostname}${isTls ? " and its certificate is trusted" : ""}; no call was made`,
    );
  } catch (error) {
    return warning(`${what} cannot be reached at ${hostname} (${reasonOf(error)})`, remedy);
  } finally {
    socket.on("error", () => {});
    socket.destroy();
  }
}

/** Whether the mail server responds and accepts the user and the password. Sends no mail. */
export async function mail({ SMTP_URL }: Pick<Settings, "SMTP_URL">): Promise<Finding> {
  if (SMTP_URL === undefined) return good("not checked: SMTP_URL is not set");
  const { verifySmtp } = await import("../../accounts/mail/smtp.ts");
  const { host, port } = smtpPlace(SMTP_URL);
  const remedy = "check the network, and the host, port, user and password in SMTP_URL";
  const at = `port ${port} of ${host}`;
  try {
    const verified = verifySmtp(SMTP_URL).then(() => true);
    if ((await withTimeout(MAIL_WITHIN_MS, verified)) !== undefined)
      return good(`the mail server at ${at} accepts mails`);
    return problem(`the mail server at ${at} does not answer`, remedy);
  } catch (error) {
    return problem(`no mail can be sent through ${at} (${reasonOfMail(error)})`, remedy);
  }
}

/** Whether the service can listen, or already does. */
export async function port({ HOST, PORT }: Pick<Settings, "HOST" | "PORT">): Promise<Finding> {
  if (PORT === 0) return good("the start chooses a free port");
  const server = createServer();
  try {
    server.listen(PORT, HOST);
    await once(server, "listening");
    return good(`port ${PORT} on ${HOST} is free`);
  } catch (error) {
    if (await isServedAt(HOST, PORT)) return good(`the service is listening on port ${PORT} on ${HOST}`);
    return problem(
      cannotListen(error, HOST, PORT).message,
      "opzoek serve does not start: see The service does not start in docs/troubleshooting.md",
    );
  } finally {
    server.close();
  }
}

async function isServedAt(host: string, port: number): Promise<boolean> {
  return fetchText(`${ownAddress(host, port)}${LIVE_PATH}`, {}).then(
    ({ text }) => hasAll(text, ["status"]),
    () => false,
  );
}

function ownAddress(host: string, port: number): string {
  const address = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** The health of the running service: what its calls say about VIES, KVK and open data. */
export async function service({ HOST, PORT }: Pick<Settings, "HOST" | "PORT">): Promise<Finding> {
  const url = `${ownAddress(HOST, PORT)}/v1/health`;
  const remedy = "see Health in docs/monitoring.md; the service's log has the reason";
  try {
    const { status: code, text } = await fetchText(url, {});
    if (!hasAll(text, ["status", "services"])) return warning(`${url} answers ${code}`, remedy);
    const { status, services, reason }: Health = JSON.parse(text);
    const shown =
      `the running service is ${status}: ${Object.entries(services).flat().join(" ")} ${reason ?? ""}`.trimEnd();
    if (status === "down") return problem(shown, remedy);
    return Object.values(services).every((state) => state === "up") ? good(shown) : warning(shown, remedy);
  } catch (error) {
    const reason = messageOf(error, url);
    if (/ECONNREFUSED|bad port/.test(reason)) return good(`not checked: no service runs on port ${PORT}`);
    return warning(`the service does not answer at ${url} (${reason})`, remedy);
  }
}

/** Whether the service can be reached at PUBLIC_URL and trusts its proxy. */
export async function proxy(
  { PUBLIC_URL }: Pick<Settings, "PUBLIC_URL">,
  sample: ClockSample,
): Promise<Finding> {
  if (PUBLIC_URL === undefined) return good("not checked: PUBLIC_URL is not set");
  const place = placeOf(PUBLIC_URL);
  try {
    const { status, text } = await fetchText(`${PUBLIC_URL}/v1/health`, sample);
    if (!hasAll(text, ["status", "services"])) {
      return problem(
        `${place}/v1/health answers ${status}, but not like this service`,
        "start the service, and check where the proxy sends requests",
      );
    }
    // Without a session the error says so, unless the service does not know that the request used TLS.
    const page = PUBLIC_URL.startsWith("https:")
      ? await fetchText(`${PUBLIC_URL}/account/sessions`, sample)
      : undefined;
    if (page?.status === 403 && page.text.includes("TRUST_PROXY")) {
      return problem(
        "the service does not trust its proxy: all clients share one address, and nobody can sign in",
        "set TRUST_PROXY to the proxy's address, and make it send X-Forwarded-For and X-Forwarded-Proto",
      );
    }
    if (status !== 200)
      return problem(`the service is not healthy: ${text.slice(0, 300)}`, "see Health in docs/monitoring.md");
    return good(`${place} leads to the service${page === undefined ? "" : ", which trusts its proxy"}`);
  } catch (error) {
    return problem(
      `${place} does not answer (${messageOf(error, PUBLIC_URL)})`,
      "start the service and its proxy; check the name, the certificate and the firewall",
    );
  }
}

/** Whether a text is a JSON object with all of these properties. */
function hasAll(text: string, names: readonly string[]): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && names.every((name) => name in body);
  } catch {
    return false;
  }
}

/** Compares this machine's clock with the clock of a server. */
export function clock({ aheadMs, of }: ClockSample): Finding {
  if (aheadMs === undefined) return good("no checked server sent its time");
  const shown = `the clock of ${of} is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  const remedy = "use a time service on this machine: rate windows and months depend on its clock";
  if (Math.abs(aheadMs) > WRONG_CLOCK_MS) return problem(shown, remedy);
  return Math.abs(aheadMs) > MAX_SKEW_MS ? warning(shown, remedy) : good(shown);
}

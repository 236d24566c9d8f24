/** The host and port of an address `smtp://` or `smtps://`. */
export function smtpPlace(address: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname, port } = new URL(address);
  const usual = protocol === "smtps:" ? 465 : 587;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? usual : Number(port) };
}

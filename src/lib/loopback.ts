/** Whether a host can be reached from this machine only (RFC 6890: 127.0.0.0/8 and ::1). */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/.test(host);
}

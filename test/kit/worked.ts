/** The processor time of this thread so far, which other programs do not add to. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

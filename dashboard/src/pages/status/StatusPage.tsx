export function StatusPage() {
  return <p>StatusPage</p>;
}

export function TryPage() {
  return <p>TryPage</p>;
}

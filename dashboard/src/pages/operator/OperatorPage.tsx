export function OperatorPage() {
  return <p>OperatorPage</p>;
}

export function PlanPage() {
  return <p>PlanPage</p>;
}

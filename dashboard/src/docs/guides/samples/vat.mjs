const number = "NL123456782B01";
const response = await fetch(`https://opzoek.example/v1/validate/vat/${number}`, {
  headers: { Authorization: `Bearer ${process.env.OPZOEK_KEY}` },
});
const answer = await response.json();
if (answer.error?.code === "UPSTREAM_ERROR") {
  console.log(`${number}: nobody can say now; ask again later`);
} else if (!response.ok) {
  throw new Error(`${answer.error.code}: ${answer.error.message}`);
} else if (answer.status === "malformed") {
  console.log(`${number}: cannot exist; check what was typed`);
} else {
  const of = answer.status === "stale" ? `, as of ${answer.validatedAt}` : "";
  console.log(`${number}: ${answer.valid ? "valid" : "not valid"}${of}`);
}

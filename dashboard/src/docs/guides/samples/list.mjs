const numbers = ["51234567", "09876543", "00000001"];
for (let start = 0; start < numbers.length; start += 100) {
  const response = await fetch("https://opzoek.example/v1/lookup/batch", {
    method: "POST",
    headers: { Authorization: `Bearer ${process.env.OPZOEK_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify({ kvkNumbers: numbers.slice(start, start + 100) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  for (const company of answer.results) console.log(company.kvkNumber, company.name);
  for (const { kvkNumber, error } of answer.failed) console.log(kvkNumber, error.code);
}

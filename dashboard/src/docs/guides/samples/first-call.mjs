const response = await fetch("https://opzoek.example/v1/lookup/51234567", {
  headers: { Authorization: `Bearer ${process.env.OPZOEK_KEY}` },
});
const answer = await response.json();
if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
console.log(answer.kvkNumber, answer.name);

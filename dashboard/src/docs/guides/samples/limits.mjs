const response = await fetch("https://opzoek.example/v1/usage", {
  headers: { Authorization: `Bearer ${process.env.OPZOEK_KEY}` },
});
const answer = await response.json();
if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
const { tokens, rateLimit } = answer;
console.log(`${tokens.remaining} of ${tokens.limit} tokens left this month`);
console.log(`${rateLimit.remaining} of ${rateLimit.limit} calls left this minute`);

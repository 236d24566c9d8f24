const MAY_HELP = ["RATE_LIMIT_EXCEEDED", "UPSTREAM_ERROR", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];

async function call(path, tries = 5) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`https://opzoek.example${path}`, {
      headers: { Authorization: `Bearer ${process.env.OPZOEK_KEY}` },
      signal: AbortSignal.timeout(20_000),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    const { code, message } = answer.error;
    if (!MAY_HELP.includes(code) || attempt === tries) throw new Error(`${code}: ${message}`);
    // The service says how long to wait; where it does not, wait longer each time.
    const seconds = Number(response.headers.get("retry-after") ?? 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

const company = await call("/v1/lookup/51234567");
console.log(company.kvkNumber, company.name);

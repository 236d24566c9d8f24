using System.Net.Http.Headers;
using System.Text.Json;

string[] mayHelp = ["RATE_LIMIT_EXCEEDED", "UPSTREAM_ERROR", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];
using var http = new HttpClient { BaseAddress = new Uri("https://opzoek.example"), Timeout = TimeSpan.FromSeconds(20) };
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
    "Bearer", Environment.GetEnvironmentVariable("OPZOEK_KEY"));

var company = await Call("/v1/lookup/51234567");
Console.WriteLine($"{company.GetProperty("kvkNumber")} {company.GetProperty("name")}");

async Task<JsonElement> Call(string path, int tries = 5)
{
    for (var attempt = 1; ; attempt++)
    {
        using var response = await http.GetAsync(path);
        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        if (response.IsSuccessStatusCode) return answer.RootElement.Clone();
        var error = answer.RootElement.GetProperty("error");
        var code = error.GetProperty("code").GetString();
        if (!mayHelp.Contains(code) || attempt == tries)
            throw new HttpRequestException($"{code}: {error.GetProperty("message")}");
        // The service says how long to wait; where it does not, wait longer each time.
        await Task.Delay(response.Headers.RetryAfter?.Delta ?? TimeSpan.FromSeconds(Math.Pow(2, attempt)));
    }
}

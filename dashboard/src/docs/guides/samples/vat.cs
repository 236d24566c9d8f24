using System.Net.Http.Headers;
using System.Text.Json;

const string Number = "NL123456782B01";
using var http = new HttpClient { BaseAddress = new Uri("https://opzoek.example") };
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
    "Bearer", Environment.GetEnvironmentVariable("OPZOEK_KEY"));
using var response = await http.GetAsync("/v1/validate/vat/" + Number);
using var document = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
var answer = document.RootElement;
if (answer.TryGetProperty("error", out var error))
{
    var code = error.GetProperty("code").GetString();
    if (code != "UPSTREAM_ERROR") throw new HttpRequestException($"{code}: {error.GetProperty("message")}");
    Console.WriteLine($"{Number}: nobody can say now; ask again later");
    return;
}
var verdict = answer.GetProperty("valid").GetBoolean() ? "valid" : "not valid";
Console.WriteLine(Number + ": " + answer.GetProperty("status").GetString() switch
{
    "malformed" => "cannot exist; check what was typed",
    "stale" => $"{verdict}, as of {answer.GetProperty("validatedAt")}",
    _ => verdict,
});

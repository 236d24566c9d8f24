using System.Net.Http.Headers;
using System.Text.Json;

using var http = new HttpClient { BaseAddress = new Uri("https://opzoek.example") };
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
    "Bearer", Environment.GetEnvironmentVariable("OPZOEK_KEY"));
using var answer = JsonDocument.Parse(await http.GetStringAsync("/v1/lookup/51234567"));
var company = answer.RootElement;
Console.WriteLine($"{company.GetProperty("kvkNumber")} {company.GetProperty("name")}");

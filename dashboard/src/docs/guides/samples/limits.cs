using System.Net.Http.Headers;
using System.Text.Json;

using var http = new HttpClient { BaseAddress = new Uri("https://opzoek.example") };
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
    "Bearer", Environment.GetEnvironmentVariable("OPZOEK_KEY"));
using var answer = JsonDocument.Parse(await http.GetStringAsync("/v1/usage"));
var tokens = answer.RootElement.GetProperty("tokens");
var rate = answer.RootElement.GetProperty("rateLimit");
Console.WriteLine($"{tokens.GetProperty("remaining")} of {tokens.GetProperty("limit")} tokens left this month");
Console.WriteLine($"{rate.GetProperty("remaining")} of {rate.GetProperty("limit")} calls left this minute");

using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;

string[] numbers = ["51234567", "09876543", "00000001"];
using var http = new HttpClient { BaseAddress = new Uri("https://opzoek.example") };
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
    "Bearer", Environment.GetEnvironmentVariable("OPZOEK_KEY"));
foreach (var chunk in numbers.Chunk(100))
{
    var body = "{\"kvkNumbers\": [" + string.Join(", ", chunk.Select(number => $"\"{number}\"")) + "]}";
    using var content = new StringContent(body, Encoding.UTF8, "application/json");
    using var response = await http.PostAsync("/v1/lookup/batch", content);
    response.EnsureSuccessStatusCode();
    using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    foreach (var company in answer.RootElement.GetProperty("results").EnumerateArray())
        Console.WriteLine($"{company.GetProperty("kvkNumber")} {company.GetProperty("name")}");
    foreach (var failed in answer.RootElement.GetProperty("failed").EnumerateArray())
        Console.WriteLine($"{failed.GetProperty("kvkNumber")} {failed.GetProperty("error").GetProperty("code")}");
}

<?php
const MAY_HELP = ["RATE_LIMIT_EXCEEDED", "UPSTREAM_ERROR", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];

function call(string $path, int $tries = 5): array
{
    $context = stream_context_create(["http" => [
        "header" => "Authorization: Bearer " . getenv("OPZOEK_KEY"),
        "ignore_errors" => true,
        "timeout" => 20,
    ]]);
    for ($attempt = 1; ; $attempt++) {
        $stream = fopen("https://opzoek.example" . $path, "r", false, $context);
        $answer = json_decode(stream_get_contents($stream), true, 512, JSON_THROW_ON_ERROR);
        if (!isset($answer["error"])) {
            return $answer;
        }
        ["code" => $code, "message" => $message] = $answer["error"];
        if (!in_array($code, MAY_HELP, true) || $attempt === $tries) {
            throw new RuntimeException("$code: $message");
        }
        // The service says how long to wait; where it does not, wait longer each time.
        $told = preg_grep("/^retry-after:/i", stream_get_meta_data($stream)["wrapper_data"]);
        sleep($told === [] ? 2 ** $attempt : (int) explode(":", reset($told))[1]);
    }
}

$company = call("/v1/lookup/51234567");
echo $company["kvkNumber"], " ", $company["name"], PHP_EOL;

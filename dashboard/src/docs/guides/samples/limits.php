<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("OPZOEK_KEY"),
    "ignore_errors" => true,
]]);
$text = file_get_contents("https://opzoek.example/v1/usage", false, $context);
$answer = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
if (isset($answer["error"])) {
    throw new RuntimeException($answer["error"]["code"] . ": " . $answer["error"]["message"]);
}
["tokens" => $tokens, "rateLimit" => $rate] = $answer;
echo "{$tokens["remaining"]} of {$tokens["limit"]} tokens left this month", PHP_EOL;
echo "{$rate["remaining"]} of {$rate["limit"]} calls left this minute", PHP_EOL;

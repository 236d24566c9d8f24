<?php
$number = "NL123456782B01";
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("OPZOEK_KEY"),
    "ignore_errors" => true,
]]);
$text = file_get_contents("https://opzoek.example/v1/validate/vat/$number", false, $context);
$answer = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
$code = $answer["error"]["code"] ?? null;
if ($code !== null && $code !== "UPSTREAM_ERROR") {
    throw new RuntimeException("$code: " . $answer["error"]["message"]);
}
echo $number, ": ", match ($answer["status"] ?? null) {
    null => "nobody can say now; ask again later",
    "malformed" => "cannot exist; check what was typed",
    "stale" => ($answer["valid"] ? "valid" : "not valid") . ", as of " . $answer["validatedAt"],
    default => $answer["valid"] ? "valid" : "not valid",
}, PHP_EOL;

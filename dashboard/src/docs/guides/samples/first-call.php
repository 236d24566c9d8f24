<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("OPZOEK_KEY"),
    "ignore_errors" => true, // an error has an answer to read, too
]]);
$text = file_get_contents("https://opzoek.example/v1/lookup/51234567", false, $context);
$answer = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
if (isset($answer["error"])) {
    throw new RuntimeException($answer["error"]["code"] . ": " . $answer["error"]["message"]);
}
echo $answer["kvkNumber"], " ", $answer["name"], PHP_EOL;

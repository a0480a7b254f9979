<?php
require __DIR__ . '/webhook.php';

while (($line = fgets(STDIN)) !== false) {
    $fields = explode("\t", rtrim($line, "\n"));
    $now = (int) array_shift($fields);
    [$secret, $body, $signature, $next, $id, $timestamp, $signatures] = array_map('base64_decode', $fields);
    $one = verify_service($secret, $body, $signature, $next);
    $two = verify_standard($secret, $body, $id, $timestamp, $signatures, $now);
    echo var_export($one, true), ' ', var_export($two, true), "\n";
}

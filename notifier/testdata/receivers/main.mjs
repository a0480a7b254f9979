import { readFileSync } from "node:fs";
import { verifyService, verifyStandard } from "./webhook.mjs";

for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
  const [now, ...fields] = line.split("\t");
  const raw = fields.map((s) => Buffer.from(s, "base64"));
  const [secret, , signature, next, id, timestamp, signatures] = raw.map((b) => b.toString("utf8"));
  const body = raw[1];
  console.log(verifyService(secret, body, signature, next), verifyStandard(secret, body, id, timestamp, signatures, Number(now)));
}

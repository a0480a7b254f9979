// A day's work of an integrator against a running service. client/day of the repository starts it and passes its addresses.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";

import { Rollcall, verify, verifyService } from "../dist/index.js";

const { ROLLCALL_BASE_URL: baseUrl, ROLLCALL_KEY: key, ROLLCALL_DESK: desk, ROLLCALL_HOOK: hook, ROLLCALL_HOOK_PORT: port } = process.env;

// colleague asks the desk of the test for something that no API does.
const colleague = async (path) => (await fetch(desk + path, { method: "POST" })).text();

// inbox receives deliveries and verifies them; next waits for one.
function inbox(secrets) {
  const came = [];
  const waiting = [];
  const server = createServer(async (req, res) => {
    const parts = [];
    for await (const part of req) parts.push(part);
    const body = Buffer.concat(parts);
    const delivery = await verify(req.headers, body, { secrets }).catch((err) => ({ err }));
    res.writeHead(delivery.err ? 401 : 200).end();
    const item = { ...delivery, headers: req.headers, body };
    const take = waiting.shift();
    if (take) take(item);
    else came.push(item);
  });
  const next = async () => {
    const item = came.shift() ?? (await new Promise((resolve) => waiting.push(resolve)));
    assert.equal(item.err, undefined);
    return item;
  };
  return { server, next };
}

test("a day's work", { skip: !baseUrl && "ROLLCALL_BASE_URL names no service", timeout: 120_000 }, async (t) => {
  const client = new Rollcall({ baseUrl, key });
  const secrets = [];
  const { server, next } = inbox(secrets);
  await new Promise((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
  t.after(() => server.close());

  // search
  const found = await client.roster({ name: "moonsail, wren", status: "booked" });
  assert.equal(found.total, 1);
  const person = await client.booking(found.items[0].id);
  assert.equal(person.county, "Clarke");

  // follow changes
  await colleague("/jail?bond=5000");
  for await (const batch of client.followRoster({ county: "clarke" }, person.meta.asOf, 0.2)) {
    if (batch.items.some((b) => b.id === person.id && b.bond_amount === 5000)) break;
  }

  // synchronise
  let cursor = "";
  let raised = false;
  for await (const batch of client.sync({ families: ["ROSTER"], record: "... on RosterRecord { bondAmount }", first: 1, seconds: 0.2 })) {
    assert.equal(batch.changes.some((c) => c.kind === "GONE"), false);
    cursor = batch.next;
    raised ||= batch.changes.some((c) => c.id === person.id && c.record.bondAmount === 5500);
    if (raised && !batch.more) break;
    if (!batch.more) await colleague("/jail?bond=5500");
  }
  for await (const batch of client.sync({}, cursor)) {
    assert.deepEqual(batch.changes, [], "nothing came since");
    break;
  }

  // watch, receive, verify
  const alert = await client.createAlert({ name: "Wren Moonsail", county: "clarke" });
  const webhook = await client.createWebhook({ url: hook, events: ["booking", "release", "bond_change"], payload_version: 2 });
  const first = await colleague("/secret");
  secrets.push(first);
  await client.testWebhook(webhook.id);
  assert.equal((await next()).test, true);
  await colleague("/jail?bond=6000");
  const got = await next();
  assert.equal(got.event.event, "bond_change");
  assert.equal(got.event.alert_id, alert.id);
  assert.equal(got.event.record.bond_amount, 6000);
  await verifyService(got.headers, got.body, { secrets });

  // redeliver
  for (let sent = false; !sent; ) {
    for await (const d of client.deliveries(webhook.id, { state: "delivered" })) {
      if (d.event_id === got.id) sent = Boolean(await client.redeliver(d.id));
    }
  }
  assert.deepEqual((await next()).body, got.body, "the same bytes");

  // rotate
  const second = await colleague("/rotate");
  secrets.push(second);
  await client.testWebhook(webhook.id);
  const both = await next();
  for (const secret of [first, second]) await verifyService(both.headers, both.body, { secrets: [secret] });
  await colleague("/finish");
  await client.testWebhook(webhook.id);
  const ended = await next();
  await assert.rejects(verify(ended.headers, ended.body, { secrets: [first] }), { reason: "signature" });

  // subscribe, from the event on and across a restart
  let bond = 7000;
  await colleague(`/jail?bond=${bond}`);
  for await (const { data } of client.subscribe("subscription { alertEvents { event facts { bondAmount } } }", {}, got.id)) {
    assert.deepEqual(data.alertEvents, { event: "BOND_CHANGE", facts: { bondAmount: bond } });
    if ((bond += 500) > 7500) break;
    await colleague("/restart");
    await colleague(`/jail?bond=${bond}`);
  }
  const asked = await client.query("query($id: ID!) { node(id: $id) { id } }", { id: person.id });
  assert.equal(asked.data.node.id, person.id);

  // tidy up
  for await (const hit of client.hits(alert.id)) await client.giveFeedback(hit.id, { verdict: "confirm" });
  await client.deleteWebhook(webhook.id);
  await client.deleteAlert(alert.id);
  await assert.rejects(client.alert(alert.id), { code: "not_found", status: 404 });
  const gone = client.mutate("mutation($id: ID!) { deleteAlert(id: $id) }", { id: alert.id });
  await assert.rejects(gone, { code: "not_found" }, "GraphQL has the same codes");
});

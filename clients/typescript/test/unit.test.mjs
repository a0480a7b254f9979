import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

import { Rollcall, RollcallError, verify, verifyService, verifyStandard } from "../dist/index.js";

// service answers the requests of a client one after the other. A step is [status, headers, body], or null: the connection breaks.
function service(...steps) {
  const asked = [];
  const client = new Rollcall({
    baseUrl: "https://records.example/v1/",
    key: "rc_live_x",
    fetch: async (url, init) => {
      const step = steps[Math.min(asked.push({ url: new URL(url), ...init }), steps.length) - 1];
      if (!step) throw new TypeError("the connection broke");
      const [status, headers, body] = step;
      return new Response(body, { status, headers: { "X-Request-Id": "r1", ...headers } });
    },
  });
  return { client, asked };
}

const page = (total, offset, ...ids) => JSON.stringify({ total, limit: 2, offset, records: ids.map((id) => ({ id })) });

test("the vectors of the guide", { skip: !process.env.ROLLCALL_VECTORS && "ROLLCALL_VECTORS names their file" }, async () => {
  const { cases } = JSON.parse(await readFile(process.env.ROLLCALL_VECTORS, "utf8"));
  assert.ok(cases.length > 0);
  const accepted = (promise) => promise.then(() => true, () => false);
  for (const c of cases) {
    const [body, o] = [new TextEncoder().encode(c.body), { secrets: ["whsec_c29tZXRoaW5nIGVsc2U=", c.secret], now: c.now * 1000 }];
    assert.equal(await accepted(verifyService(c.headers, body, o)), c.service, `${c.name}: service`);
    assert.equal(await accepted(verifyStandard(c.headers, body, o)), c.standard, `${c.name}: standard`);
  }
  const first = cases[0];
  const got = await verify(new Headers(first.headers), new TextEncoder().encode(first.body), { secrets: [first.secret], now: first.now * 1000 });
  assert.equal(got.event.event, "booking");
});

test("a refused request is made again, with one Idempotency-Key", async () => {
  const limited = [429, { "Retry-After": "1" }, '{"error":"rate_limited","message":"wait"}'];
  const { client, asked } = service(limited, null, [201, { Location: "https://records.example/v1/alerts/alrt_1" }, '{"id":"alrt_1"}']);
  const begun = performance.now();
  const made = await client.createAlert({ name: "Jane Doe" });
  assert.deepEqual([made.id, made.meta.location], ["alrt_1", "https://records.example/v1/alerts/alrt_1"]);
  assert.ok(performance.now() - begun >= 990, "it waits as long as Retry-After says");
  assert.equal(new Set(asked.map((r) => r.headers["Idempotency-Key"])).size, 1);
  assert.equal(asked[0].headers["Authorization"], "Bearer rc_live_x");
});

test("a change of a state that was seen sends its tag", async () => {
  const { client, asked } = service([200, { ETag: '"t1"' }, '{"id":"alrt_1"}'], [200, { ETag: '"t2"' }, '{"id":"alrt_1"}'], [412, {}, '{"error":"precondition_failed","message":"look"}']);
  const alert = await client.alert("alrt_1", { ifMatch: '"t0"' });
  assert.equal((await client.changeAlert(alert.id, { note: "x" }, { ifMatch: alert.meta.etag })).meta.etag, '"t2"');
  await assert.rejects(client.deleteAlert(alert.id, { ifMatch: alert.meta.etag }), { code: "precondition_failed" });
  assert.deepEqual(asked.map((r) => r.headers["If-Match"]), [undefined, '"t1"', '"t1"']);
});

test("what is refused for good is thrown at once", async () => {
  const { client, asked } = service([429, { "Retry-After": "3600" }, '{"error":"rate_limited","message":"wait"}']);
  await assert.rejects(client.usage(), (err) => err instanceof RollcallError && err.code === "rate_limited" && err.retryAfter === 3600 && err.requestId === "r1");
  assert.equal(asked.length, 1);
  await assert.rejects(service([404, {}, "<html>"]).client.usage(), { code: "http_404" });
  const stop = AbortSignal.abort(new Error("enough"));
  await assert.rejects(service(null).client.usage({ signal: stop }), { message: "enough" });
});

test("all pages are read, by a link where there is one", async () => {
  const { client, asked } = service([200, {}, page(5, 0, "a", "b")], [200, { Link: '<https://other.example/v1/roster?cursor=zz&limit=2>; rel="next"' }, page(5, 2, "c", "d")], [200, {}, page(5, 0, "e")]);
  const ids = [];
  for await (const b of client.allRoster({ county: "fulton" })) ids.push(b.id);
  assert.deepEqual(ids, ["a", "b", "c", "d", "e"]);
  assert.equal(asked[1].url.search, "?limit=200&county=fulton&offset=2");
  assert.equal(asked[2].url.href, "https://records.example/v1/roster?cursor=zz&limit=2", "the key goes to no other host");
});

test("following goes on from the first page of a pass", async () => {
  const at = (time) => ({ "X-Data-As-Of": time, "X-Data-Stale": "fulton,*" });
  const { client, asked } = service([200, at("T1"), page(3, 0, "a", "b")], [200, at("T2"), page(3, 2, "c")], [200, at("T3"), page(2, 0, "c", "d")]);
  const got = [];
  for await (const b of client.followRoster({}, "", 0.001)) {
    got.push([b.items.map((i) => i.id).join(""), b.next, b.meta.stale.join()]);
    if (got.length === 3) break;
  }
  assert.deepEqual(got, [["ab", "", "fulton,*"], ["c", "T1", "fulton,*"], ["d", "T3", "fulton,*"]]);
  assert.equal(asked[2].url.searchParams.get("updated_since"), "T1");
});

test("a subscription resumes, and ends when the service ends it", async () => {
  const stream = { "Content-Type": "text/event-stream" };
  const { client, asked } = service(
    [200, stream, 'id: begin\n\n:\n\nid: e1\nevent: next\ndata: {"data":{"x":1}}\n\n'],
    [502, {}, "bad gateway"],
    [200, stream, 'id: e2\nevent: next\ndata: {"data":{"x":2}}\n\nid: e3\nevent: next\ndata: {"da'],
    [200, stream, 'event: complete\ndata:\n\n'],
  );
  const got = [];
  for await (const m of client.subscribe("subscription { x }")) got.push([m.id, m.data.x]);
  assert.deepEqual(got, [["e1", 1], ["e2", 2]]);
  assert.deepEqual(asked.map((r) => r.headers["Last-Event-ID"]), [undefined, "e1", "e1", "e2"]);
});

test("a subscription goes on after a restart of the service", async () => {
  const stream = { "Content-Type": "text/event-stream" };
  const stopping = 'event: next\ndata: {"data":null,"errors":[{"message":"the service is stopping; connect again","extensions":{"code":"UNAVAILABLE"}}]}\n\n';
  const partial = 'id: e2\nevent: next\ndata: {"data":{"x":null},"errors":[{"message":"too late","path":["x"],"extensions":{"code":"UNAVAILABLE"}}]}\n\n';
  const { client, asked } = service(
    [200, stream, `id: e1\nevent: next\ndata: {"data":{"x":1}}\n\n${stopping}`],
    [200, stream, partial],
    [200, stream, 'id: e2\nevent: next\ndata: {"data":{"x":2}}\n\nevent: complete\ndata:\n\n'],
  );
  const got = [];
  for await (const m of client.subscribe("subscription { x }")) got.push([m.id, m.data.x]);
  assert.deepEqual(got, [["e1", 1], ["e2", 2]]);
  assert.deepEqual(asked.map((r) => r.headers["Last-Event-ID"]), [undefined, "e1", "e1"]);
});

test("a subscription too many is refused after some tries", async () => {
  const many = [429, {}, '{"errors":[{"message":"too many streams","extensions":{"code":"RATE_LIMITED"}}]}'];
  const { client, asked } = service(many);
  await assert.rejects(client.subscribe("subscription { x }").next(), { code: "rate_limited", message: "too many streams" });
  assert.equal(asked.length, 4);
});

test("a change whose answer was lost is not reported wrongly", async () => {
  const gone = [404, {}, '{"error":"not_found","message":"there is none"}'];
  const changed = [412, {}, '{"error":"precondition_failed","message":"look"}'];
  for (const lost of [null, [502, {}, "bad gateway"]]) {
    await service(lost, gone).client.deleteAlert("alrt_1", { ifMatch: '"t1"' });
    const { client, asked } = service(lost, changed);
    const said = await client.changeAlert("alrt_1", { note: "x" }, { ifMatch: '"t1"' }).catch((err) => err);
    assert.ok(said instanceof Error && said.code !== "precondition_failed", "it says that the connection broke, not that it was changed");
    assert.equal(asked.length, 1);
  }
  await assert.rejects(service(gone).client.deleteAlert("alrt_1"), { code: "not_found" });
  const limited = [429, {}, '{"error":"rate_limited","message":"wait"}'];
  await assert.rejects(service(limited, gone).client.deleteAlert("alrt_1"), { code: "not_found" }, "a refused try did not happen");
  await assert.rejects(service(limited, changed).client.changeAlert("alrt_1", {}, { ifMatch: '"t1"' }), { code: "precondition_failed" });
});

test("errors of GraphQL are thrown", async () => {
  const wrong = '{"data":null,"errors":[{"message":"no","path":["a",0],"extensions":{"code":"UNAUTHORIZED","field":"x"}}]}';
  await assert.rejects(service([200, {}, wrong]).client.query("{ a }"), { code: "unauthorized", field: "x", message: "no" });
  const next = service([200, { "Content-Type": "text/event-stream" }, `event: next\ndata: ${wrong}\n\n`]).client.subscribe("subscription { x }");
  await assert.rejects(next.next(), { code: "unauthorized" });
  const { client, asked } = service([200, {}, '{"data":{"a":1}}']);
  assert.equal((await client.mutate("mutation { a }", {}, { idempotencyKey: "order-7" })).data.a, 1);
  assert.equal(asked[0].headers["Idempotency-Key"], "order-7");
  assert.equal(asked[0].url.href, "https://records.example/graphql");
});

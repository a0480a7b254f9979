import { follow, type Batch } from "./follow.js";
import { operate, subscribe, type Message, type Variables } from "./graphql.js";
import type { components, operations } from "./openapi.js";
import { all, list, metaOf, query, type Filter, type Meta, type Page } from "./page.js";
import { sync, type Changes, type SyncOptions } from "./sync.js";
import { Transport, type Call, type Options } from "./transport.js";

type Schemas = components["schemas"];
type Query<Operation extends keyof operations> = Exclude<operations[Operation]["parameters"]["query"], undefined>;

/** Filters of the three lists of records. `limit` and `offset` choose a page. */
export type RosterFilter = Query<"listRoster">;
export type CourtFilter = Query<"listCourts">;
export type CorrectionsFilter = Query<"listCorrections">;
/** Which deliveries. */
export type DeliveryFilter = Query<"listDeliveries">;

/** One thing with what the headers of its answer say. */
export type Fresh<T> = T & { meta: Meta };

/** A client of one service with one API key. Every error that the service answers is a RollcallError. */
export class Rollcall {
  private readonly t: Transport;

  constructor(options: Options) {
    this.t = new Transport(options);
  }

  /** A page of bookings, newest booking first. */
  roster = (filter: RosterFilter = {}, call: Call = {}): Promise<Page<Schemas["RosterRecord"]>> => this.page("/roster", filter, call);
  /** The bookings of all pages, newest booking first. */
  allRoster = (filter: RosterFilter = {}, call: Call = {}): AsyncGenerator<Schemas["RosterRecord"], void> => all(this.t, "/roster", "records", filter as Filter, call);
  /** One booking with its link. */
  booking = (id: string, call: Call = {}): Promise<Fresh<Schemas["RosterDetail"]>> => this.show(`/roster/${encodeURIComponent(id)}`, call);

  /** A page of court cases, latest filed first. */
  courts = (filter: CourtFilter = {}, call: Call = {}): Promise<Page<Schemas["CourtCase"]>> => this.page("/courts", filter, call);
  /** The cases of all pages. */
  allCourts = (filter: CourtFilter = {}, call: Call = {}): AsyncGenerator<Schemas["CourtCase"], void> => all(this.t, "/courts", "records", filter as Filter, call);
  /** One case with its hearings and dispositions. */
  courtCase = (number: string, call: Call = {}): Promise<Fresh<Schemas["CourtDetail"]>> => this.show(`/courts/${encodeURIComponent(number)}`, call);

  /** A page of corrections records, by name. */
  corrections = (filter: CorrectionsFilter = {}, call: Call = {}): Promise<Page<Schemas["CorrectionsRecord"]>> => this.page("/corrections", filter, call);
  /** The corrections records of all pages. */
  allCorrections = (filter: CorrectionsFilter = {}, call: Call = {}): AsyncGenerator<Schemas["CorrectionsRecord"], void> => all(this.t, "/corrections", "records", filter as Filter, call);
  /** One corrections record with the bookings of the same person. */
  offender = (id: string, call: Call = {}): Promise<Fresh<Schemas["CorrectionsDetail"]>> => this.show(`/corrections/${encodeURIComponent(id)}`, call);

  /** Bookings that changed since an instant; asks again every so many seconds. An empty instant begins with all. */
  followRoster = (filter: RosterFilter, since: string, seconds: number, call: Call = {}): AsyncGenerator<Batch<Schemas["RosterRecord"]>, void> =>
    follow(this.t, "/roster", filter as Filter, since, seconds, (r: Schemas["RosterRecord"]) => r.id, call);
  /**
   * Keeps a copy of the records equal to what is published: yields what changed and what went since a cursor, the `next` of an
   * earlier batch. Without one it begins with all records. An error with the code `cursor_expired`: forget the copy and begin anew.
   */
  sync = <T>(options: SyncOptions = {}, after = "", call: Call = {}): AsyncGenerator<Changes<T>, void> => sync<T>(this.t, options, after, call);
  /** followRoster for court cases. */
  followCourts = (filter: CourtFilter, since: string, seconds: number, call: Call = {}): AsyncGenerator<Batch<Schemas["CourtCase"]>, void> =>
    follow(this.t, "/courts", filter as Filter, since, seconds, (r: Schemas["CourtCase"]) => [r.county, r.court_type, r.case_number, r.defendant].join("\n"), call);
  /** followRoster for corrections records. */
  followCorrections = (filter: CorrectionsFilter, since: string, seconds: number, call: Call = {}): AsyncGenerator<Batch<Schemas["CorrectionsRecord"]>, void> =>
    follow(this.t, "/corrections", filter as Filter, since, seconds, (r: Schemas["CorrectionsRecord"]) => r.gdc_id, call);

  /** All counties by slug. */
  counties = (call: Call = {}): AsyncGenerator<Schemas["County"], void> => all(this.t, "/counties", "counties", {}, call);
  /** Every source and how fresh it is. */
  sources = (call: Call = {}): AsyncGenerator<Schemas["Source"], void> => all(this.t, "/sources", "sources", {}, call);
  /** What is left of the request limit. */
  usage = (call: Call = {}): Promise<Fresh<Schemas["Usage"]>> => this.show("/usage", call);

  /** The account's watchers, newest first. */
  alerts = (call: Call = {}): AsyncGenerator<Schemas["Alert"], void> => all(this.t, "/alerts", "alerts", {}, call);
  alert = (id: string, call: Call = {}): Promise<Fresh<Schemas["Alert"]>> => this.show(`/alerts/${encodeURIComponent(id)}`, call);
  createAlert = (alert: Schemas["NewAlert"], call: Call = {}): Promise<Fresh<Schemas["Alert"]>> => this.change("POST", "/alerts", alert, call);
  /** Members that are absent stay as they are; null takes one back to its default. */
  changeAlert = (id: string, change: Schemas["AlertChange"], call: Call = {}): Promise<Fresh<Schemas["Alert"]>> => this.change("PATCH", `/alerts/${encodeURIComponent(id)}`, change, call);
  deleteAlert = (id: string, call: Call = {}): Promise<void> => this.send("DELETE", `/alerts/${encodeURIComponent(id)}`, undefined, call);
  /** What a watcher would have found. Nothing is stored or sent. */
  previewAlert = (request: Schemas["PreviewRequest"], call: Call = {}): Promise<Schemas["AlertPreview"]> => this.send("POST", "/alerts/preview", request, call);
  /** What a watcher matched, newest first. */
  hits = (alertId: string, call: Call = {}): AsyncGenerator<Schemas["Hit"], void> => all(this.t, `/alerts/${encodeURIComponent(alertId)}/hits`, "hits", {}, call);
  giveFeedback = (hitId: string, feedback: Schemas["Feedback"], call: Call = {}): Promise<Schemas["Hit"]> => this.send("POST", `/hits/${encodeURIComponent(hitId)}/feedback`, feedback, call);

  /** The account's endpoints, newest first. */
  webhooks = (call: Call = {}): AsyncGenerator<Schemas["Webhook"], void> => all(this.t, "/webhooks", "webhooks", {}, call);
  webhook = (id: string, call: Call = {}): Promise<Fresh<Schemas["Webhook"]>> => this.show(hook(id), call);
  createWebhook = (webhook: Schemas["NewWebhook"], call: Call = {}): Promise<Fresh<Schemas["Webhook"]>> => this.change("POST", "/webhooks", webhook, call);
  changeWebhook = (id: string, change: Schemas["WebhookChange"], call: Call = {}): Promise<Fresh<Schemas["Webhook"]>> => this.change("PATCH", hook(id), change, call);
  deleteWebhook = (id: string, call: Call = {}): Promise<void> => this.send("DELETE", hook(id), undefined, call);
  enableWebhook = (id: string, call: Call = {}): Promise<Fresh<Schemas["Webhook"]>> => this.change("POST", `${hook(id)}/enable`, undefined, call);
  /** Sends a test delivery, of a record that is invented. */
  testWebhook = (id: string, call: Call = {}): Promise<Schemas["Delivery"]> => this.send("POST", `${hook(id)}/test`, undefined, call);
  /** The deliveries of an endpoint, newest first, with their attempts. */
  deliveries = (webhookId: string, filter: DeliveryFilter = {}, call: Call = {}): AsyncGenerator<Schemas["Delivery"], void> => all(this.t, `${hook(webhookId)}/deliveries`, "deliveries", filter as Filter, call);
  /** Sends a delivery once more, with the same bytes and webhook-id. */
  redeliver = (id: string, call: Call = {}): Promise<Schemas["Delivery"]> => this.send("POST", `/deliveries/${encodeURIComponent(id)}/redeliver`, undefined, call);
  /** Sends the deliveries of a span of time once more, or counts them. */
  replay = (webhookId: string, replay: Schemas["Replay"], call: Call = {}): Promise<Schemas["ReplayResult"]> => this.send("POST", `${hook(webhookId)}/replay`, replay, call);

  /** Asks GraphQL. */
  query = <T>(document: string, variables: Variables = {}, call: Call = {}): Promise<{ data: T; meta: Meta }> => operate<T>(this.t, document, variables, false, call);
  /** query for a mutation, which happens once however often it is sent. */
  mutate = <T>(document: string, variables: Variables = {}, call: Call = {}): Promise<{ data: T; meta: Meta }> => operate<T>(this.t, document, variables, true, call);
  /** Events of a GraphQL subscription, from the one after an id on; empty: from now on. It resumes by itself. */
  subscribe = <T>(document: string, variables: Variables = {}, after = "", call: Call = {}): AsyncGenerator<Message<T>, void> => subscribe<T>(this.t, document, variables, after, call);

  private page<T>(path: string, filter: object, call: Call): Promise<Page<T>> {
    return list(this.t, path, "records", query(filter as Filter), call);
  }

  private show<T>(path: string, call: Call): Promise<Fresh<T>> {
    return this.change<T>("GET", path, undefined, call);
  }

  private async change<T>(method: string, path: string, body: unknown, call: Call): Promise<Fresh<T>> {
    const { value, headers } = await this.t.call<T>(method, path, body, call);
    return { ...value, meta: metaOf(headers) };
  }

  private async send<T>(method: string, path: string, body: unknown, call: Call): Promise<T> {
    return (await this.t.call<T>(method, path, body, call)).value;
  }
}

/** Returns the path of an endpoint. */
const hook = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

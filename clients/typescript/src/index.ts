export { Rollcall, type CorrectionsFilter, type CourtFilter, type DeliveryFilter, type Fresh, type RosterFilter } from "./client.js";
export { RollcallError } from "./error.js";
export type { Batch } from "./follow.js";
export type { Message, Variables } from "./graphql.js";
export type { components, operations, paths, webhooks } from "./openapi.js";
export type { Meta, Page } from "./page.js";
export type { Change, Changes, Family, SyncOptions } from "./sync.js";
export type { Call, Options } from "./transport.js";
export { VerifyError, verify, verifyService, verifyStandard, type Delivery, type Event, type HeadersLike, type VerifyOptions } from "./verify.js";

// Package havoc has tests alone: random requests, valid and nearly so, to every operation of openapi.json and of the GraphQL
// schema of a running service, subscriptions included. No answer is a 5xx, and each is as the document or the operation says.
// Another caller beside them is answered each time. A run prints its seed.
//
// ROLLCALL_HAVOC says how long each of the three runs, ROLLCALL_HAVOC_SEED with which seed, and ROLLCALL_HAVOC_SLOWEST how long
// an answer may take while half of the other caller's take 50 ms: without it no time is asserted.
package havoc

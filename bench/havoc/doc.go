// Package havoc has tests alone: random requests, valid and nearly so, to every operation of openapi.json and of the GraphQL
// schema of a running service. No answer is a 5xx, and each is as the document or the operation says. A run prints its seed.
//
// ROLLCALL_HAVOC says how long each of the two runs, ROLLCALL_HAVOC_SEED with which seed, and ROLLCALL_HAVOC_SLOWEST how long an
// answer may take: without it no time is asserted.
package havoc

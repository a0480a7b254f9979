// Package siege has a test alone: one attacker after the other does the worst that a key, a page or no key at all lets it
// do, beside a client of another account who asks for little. It prints what became of both. The client is answered
// each time.
//
// ROLLCALL_SIEGE says how long each attack lasts, and then the records are many; ROLLCALL_SIEGE_P99 which time 99 of 100
// requests of the client may take. Without it no time is asserted.
package siege

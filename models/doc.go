// Package models holds the types of rollcall: bookings, court cases, corrections records, links between them,
// sources and runs, watchers and webhooks, accounts and keys; the errors, dates, pages and texts that all of them
// share; and the plain rules that need nothing but these types.
//
// It is the bottom package. It is not for statements: it knows no database handle and no SQL. The packages below it
// read and write what it describes, one subject each; package store puts them together. It knows no transport either
// (no net/http, no GraphQL, no JSON tags): what only one interface says stays with that interface.
package models

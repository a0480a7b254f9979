// Package models holds the tables of rollcall and every query on them: bookings, court cases,
// corrections records, links between them, sources and runs, accounts and keys.
//
// It is the bottom room: the only one that imports GORM or writes SQL. It knows no transport
// (no net/http, no GraphQL, no JSON tags); what only one interface says stays in that
// interface's room. Plain reads and writes go through GORM, hot lists and details scan by pgx.
package models

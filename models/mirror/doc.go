// Package mirror reads what changed of the records since a cursor, for clients that keep a copy: the records that are
// published and changed, and those that went, of which it returns the public id alone (tombstones).
//
// A position in a family is a generation and a record in it. Generations commit in the order of their numbers
// (models/migrations/0016_counters_and_generations.sql), and a record that changes again gets a later one. So a client that
// goes on from its cursor misses nothing, whatever is written meanwhile, and its copy ends equal to what is published.
//
// It is not for the caches of this process: package search and models/db follow generations by themselves.
package mirror

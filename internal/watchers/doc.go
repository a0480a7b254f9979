// Package watchers is the commands about many alerts at once: `rollcall watchers import` and `rollcall watchers export`.
//
// It parses flags and prints. How a list is read, checked and created is in internal/enroll, how it is written in
// internal/watchlist.
package watchers

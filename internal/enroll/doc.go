// Package enroll imports lists of names to watch: it reads a list, checks each line as a single new alert is checked,
// folds those that are watched already, counts what the others would have found in a year, and creates them, all or none.
//
// It knows nothing of who asks, so that others than the command can use it with the same errors. How a CSV is read is in
// internal/watchlist, what a watcher may be in models/alert, and how names compare in match.
package enroll

// Package outlook counts what a watcher would have found among the bookings of the year behind us: how many bear the
// watched name itself, how many another way of writing it, and how few would be left if a county, a birth or a middle
// name narrowed it. It is pure: the caller reads the bookings and passes the clock.
package outlook

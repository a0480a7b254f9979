// Package follow holds a test of a client that keeps copies of the demo's bookings by both ways that there are: updated_since
// with the last X-Data-As-Of, and GraphQL's changes. It has no code of its own.
package follow

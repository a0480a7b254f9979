// Package transport answers GraphQL requests over HTTP, server-sent events and websockets. It reads one
// operation, refuses what is over the limits, executes it through gqlgen, and turns every error into a
// message and extensions.code.
//
// It knows no resolver: package graph passes them in. A subscription's resolver says through Places which
// event comes next, and through Ending why it stopped.
package transport

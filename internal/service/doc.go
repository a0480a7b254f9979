// Package service is rollcall at work: it turns the settings into a store, the interfaces, the pages, the jobs and the
// figures, starts them in order and stops them without losing a request. It wires rooms together and has no rules and no SQL.
//
// It may import every room but cmd, bench and the demo. cmd/rollcall parses the command line, and hands over the environment
// as a function: this package never reads it by itself, so that a test can start two services with different settings.
package service

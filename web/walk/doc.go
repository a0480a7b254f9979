// Package walk holds tests alone: they walk through the pages in Chromium as readers and operators do, against a demo in a
// process of its own or against the service in the process of the test. What no browser is needed for is tested in web, and
// what commands print in cmd/rollcall.
package walk

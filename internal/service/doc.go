// Package service is rollcall at work. It turns the settings into a store, the interfaces, the pages, the jobs
// and the metrics, starts them in order and stops them without losing a request. It has no rules and no SQL.
//
// The parts of a process, and where each is wired:
//
//   - App (app.go): settings and the way to the database, for every command.
//   - Service (service.go): the embedded database, the list indexes, the API and the metrics of `serve`.
//   - API (api.go): the map of all routes and of what a request passes before them.
//   - Jobs (jobs.go): sources on their schedules, linking, matching and retention, as jobs of River.
//   - Deliveries (deliver.go): the sender of webhooks, with connections of its own.
//
// A request goes from API through auth to graph or rest and ends in the store. A row goes from Jobs through
// ingest to the store, and its change through matching to Deliveries.
//
// The package may import every package but cmd, bench and the demo. cmd/rollcall parses the command line and
// passes the environment as a function. This package never reads the environment by itself, so that a test can
// start two services with different settings.
package service

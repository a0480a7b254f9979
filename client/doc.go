// Package client is the Go client of rollcall. It reads records, follows their changes, keeps watchers and endpoints,
// asks GraphQL, and verifies the webhooks that arrive.
//
//	c := client.New("https://records.example/v1", key)
//	for booking, err := range c.AllRoster(ctx, client.RosterFilter{County: "fulton", Name: "smith"}) {
//
// A request that is refused with 429 or 503 is made again after the time that Retry-After states, and so is one whose
// connection broke. A POST carries an Idempotency-Key, so it happens once however often it is sent. Every error that the
// service answers is an *Error. Lists and details say how fresh they are in Meta.
//
// The package imports nothing of rollcall itself, so that the module of a customer may take it alone. The types of /v1 are
// written by hand and compared with openapi.json by a test.
package client

// Package simulator is the demo's invented Georgia: people who are booked, bonded, tried, sentenced and released. It
// serves them over HTTP in the shapes in which real jails, clerks and the corrections department publish. All are invented.
//
// It is for `rollcall demo` and for tests of the ingest. It is no fixture library and no load generator, and it knows
// nothing of rollcall's tables: it is the outside world.
//
// # One world
//
// A person has one name, one birth date and at most one place at a time: free, in one county's jail, or in a state
// prison. The same person may have a corrections record with the same birth date, and court cases with the same name,
// county and charge. So links exist, and the truth about them is known (Links, CaseLinks). What a source shows of that
// is up to its vendor: a birth date may be there, cut to a year, or missing.
//
// # Time
//
// No goroutine runs. The world is a function of the seed, the time it was founded, and the sessions in which somebody
// watched. Every question makes it catch up with the injected clock first. During a session something happens once per
// Options.Pace. Between two sessions the world nearly stands still, so that a demo that was off over night comes back
// to mostly the same people. Save keeps the State for that in a file: call it every half minute and at the end.
//
// world.go, person.go, name.go and offense.go found a world; happening.go, court.go and offender.go move it; session.go
// says when. truth.go answers what is true. server.go and view.go answer requests with one file for each vendor.
//
// # Use
//
//	state, err := simulator.Load(filepath.Join(dataDir, "simulator.json")) // nil at the first start
//	sim, err := simulator.New(simulator.Options{Seed: 1, Now: time.Now, Pace: 3 * time.Second, Resume: state})
//	listener, err := simulator.Listen(ctx, "127.0.0.1:0")
//	go sim.Serve(ctx, listener)
//	for _, feed := range sim.Feeds() {
//		// one source document: the vendor's shape, the county, "http://" + listener.Addr().String() + feed.Path
//		// (a document with `settings: {base: ...}` wants feed.Base instead), asked every feed.Interval
//	}
//
// Sources that read dropped files (F1, F22, F23) get them from Drop, which writes what the feed would answer under the
// name that it would give the file.
//
// With Options.Chaos, or later by SetChaos, single feeds misbehave: see Fault.
package simulator

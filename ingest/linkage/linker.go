package linkage

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/link"
	"rollcall/models/store"
)

// Linker keeps the links between bookings and corrections records current, and those of court cases with both. It looks at
// bookings and cases that changed, and at those near what changed. The result is that of a look at everything, with one
// exception: the former name of a booking is forgotten, so a case that it kept from a link is found by the next look at
// everything. It is safe for concurrent use: one run waits for another, on other replicas too.
type Linker struct {
	Store *store.Store     // where links are
	Log   *slog.Logger     // ids and counts alone
	Now   func() time.Time // the clock
}

// Report says what a link run did. It holds no personal data.
type Report struct {
	Full     bool `json:"full"`     // every booking was looked at
	Records  int  `json:"records"`  // published corrections records
	Bookings int  `json:"bookings"` // looked at
	Made     int  `json:"made"`     // links of bookings that are new
	Changed  int  `json:"changed"`  // links that differ from what was stored
	Removed  int  `json:"removed"`  // whose pair fits no more

	Cases        int `json:"cases"`         // court cases looked at
	CasesMade    int `json:"cases_made"`    // links of cases that are new
	CasesChanged int `json:"cases_changed"` // links that differ from what was stored
	CasesRemoved int `json:"cases_removed"` // whose pair fits no more

	Seconds float64 `json:"seconds"` // that it took
}

// chunkSize is how many bookings are read, linked and saved together.
const chunkSize = 10_000

// Run links what changed since the run before, or everything.
func (l *Linker) Run(ctx context.Context, full bool) (*Report, error) {
	started := l.Now()
	run, err := l.Store.BeginLinkRun(ctx, full)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	report := &Report{Full: run.Full, Records: run.Records}
	due, err := dueBookings(ctx, run)
	if err != nil {
		return nil, err
	}
	report.Bookings = len(due)
	// The index of all records is costly: it is made only if a booking or case is due.
	records := once(func(ctx context.Context) (*match.Linker, error) { return linkRecords(ctx, run) })
	if len(due) > 0 {
		if err := report.link(ctx, run, records, due); err != nil {
			return nil, err
		}
	}
	// Cases come last, because a case finds a record through the booking that was just linked.
	if err := (&courtLinks{run: run, records: records, report: report}).link(ctx, due); err != nil {
		return nil, err
	}
	if err := run.Finish(ctx); err != nil {
		return nil, err
	}
	report.Seconds = l.Now().Sub(started).Seconds()
	l.Log.InfoContext(ctx, "linked bookings", "full", report.Full, "bookings", report.Bookings, "records", report.Records,
		"made", report.Made, "changed", report.Changed, "removed", report.Removed,
		"cases", report.Cases, "cases_made", report.CasesMade, "cases_changed", report.CasesChanged, "cases_removed", report.CasesRemoved, "seconds", report.Seconds)
	return report, nil
}

// dueBookings adds the bookings near a changed record, as it was or as it is: their best record, or the
// tie that kept them from one, may be another now.
func dueBookings(ctx context.Context, run *link.Run) ([]int64, error) {
	if len(run.Versions) == 0 {
		return run.Due, nil
	}
	records := match.NewLinker(versionsOf(run))
	var near []int64
	scan := crowd[models.LinkBooking]{
		near: func(b *models.LinkBooking) bool { return len(records.Near(bookingOf(b))) > 0 },
		keep: func(b *models.LinkBooking) { near = append(near, b.RID) },
	}
	if err := run.EachBooking(ctx, scan.add); err != nil {
		return nil, err
	}
	scan.flush()
	// A booking can be both near a record and changed itself.
	due := slices.Concat(near, run.Due)
	slices.Sort(due)
	return slices.Compact(due), nil
}

// versionsOf are the changed records as they were and as they are.
func versionsOf(run *link.Run) []match.Record {
	versions := make([]match.Record, len(run.Versions))
	for i, v := range run.Versions {
		versions[i] = match.Record{ID: placeID(i), Name: match.Parse(v.Name), Born: match.ParseBirth(v.Born)}
	}
	return versions
}

// once returns a function that makes a value at the first call and returns it again at later ones. An error is not kept.
func once[T any](make func(context.Context) (T, error)) func(context.Context) (T, error) {
	var made T
	done := false
	return func(ctx context.Context) (T, error) {
		if done {
			return made, nil
		}
		var err error
		made, err = make(ctx)
		done = err == nil
		return made, err
	}
}

// crowd looks at many people on all processors and keeps some, in their order. A full batch bounds the memory.
type crowd[T any] struct {
	near  func(*T) bool // may run for several at once
	keep  func(*T)
	batch []T
}

// add looks at one more. What it points to may be reused.
func (c *crowd[T]) add(one *T) {
	if c.batch = append(c.batch, *one); len(c.batch) == chunkSize {
		c.flush()
	}
}

// flush looks at those that were added since the last full batch. Call it at the end.
func (c *crowd[T]) flush() {
	is := make([]bool, len(c.batch))
	inParallel(len(c.batch), func(i int) { is[i] = c.near(&c.batch[i]) })
	for i := range c.batch {
		if is[i] {
			c.keep(&c.batch[i])
		}
	}
	c.batch = c.batch[:0]
}

// link finds the links of the bookings due, a chunk at a time.
func (report *Report) link(ctx context.Context, run *link.Run, indexed func(context.Context) (*match.Linker, error), due []int64) error {
	records, err := indexed(ctx)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(due, chunkSize) {
		bookings, err := run.Bookings(ctx, chunk)
		if err != nil {
			return err
		}
		n, err := run.Save(ctx, chunk, findLinks(records, bookings, run.Population))
		if err != nil {
			return err
		}
		report.Made, report.Changed, report.Removed = report.Made+n.Made, report.Changed+n.Changed, report.Removed+n.Removed
	}
	return nil
}

// linkRecords indexes the published corrections records.
func linkRecords(ctx context.Context, run *link.Run) (*match.Linker, error) {
	faces := make([]models.LinkRecord, 0, run.Records)
	if err := run.EachRecord(ctx, func(r *models.LinkRecord) { faces = append(faces, *r) }); err != nil {
		return nil, err
	}
	records := make([]match.Record, len(faces))
	inParallel(len(faces), func(i int) {
		records[i] = match.Record{ID: faces[i].GdcID, Name: match.Parse(faces[i].Name), Born: match.ParseBirth(faces[i].Born)}
	})
	return match.NewLinker(records), nil
}

// findLinks returns the best link of each booking that has one. A booking without a link is left out, so that Save removes
// what was stored of it.
func findLinks(records *match.Linker, bookings []models.LinkBooking, population int) []models.FoundLink {
	links := make([]match.Link, len(bookings))
	inParallel(len(bookings), func(i int) { links[i] = bestLink(records, &bookings[i], population) })
	var found []models.FoundLink
	for i, l := range links {
		if l.Confidence == match.NoLink {
			continue
		}
		found = append(found, models.FoundLink{
			RID: bookings[i].RID, GdcID: l.RecordID, Confidence: models.Confidence(l.Confidence.String()), Probability: l.Probability, Reasons: append([]string{}, l.Reasons...),
		})
	}
	return found
}

// bestLink weighs the records near a booking, apart from those that an operator ruled out: what was
// dismissed neither links nor ties.
func bestLink(records *match.Linker, b *models.LinkBooking, population int) match.Link {
	booking := bookingOf(b)
	near := slices.DeleteFunc(records.Near(booking), func(r match.Record) bool { return slices.Contains(b.Dismissed, r.ID) })
	return match.Best(booking, near, population)
}

// bookingOf parses name and birth as the matcher wants them.
func bookingOf(b *models.LinkBooking) *match.Booking {
	return &match.Booking{Name: match.Parse(b.Name), Born: match.ParseBirth(b.Born)}
}

// inParallel calls do with 0 to n-1 on all processors. Worker w takes w, w+workers and so on, which
// needs no queue.
func inParallel(n int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}

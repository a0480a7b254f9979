// Package takeover brings the records of an existing system into the tables with their ids kept, for clients
// that hold them. `rollcall import` calls it. It reads a directory, in which each file may be missing:
//
//	roster/*.csv       bookings
//	corrections.csv    corrections records
//	courts.jsonl       cases with hearings and dispositions, one a line
//	links.csv          which booking and which corrections record are of one person
//
// Columns and members have the names of SPEC.md. Each family becomes claims of a source of its own
// (takeover-roster and so on), which any other source knows better than. Nothing is announced for what it
// brings; links count as confirmed; the first snapshot of a county recognises its imported bookings. The
// source has no schedule, and nobody is absent from it.
//
// It is not for a running feed of another system: give that a source document.
package takeover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/models/snapshot"
	"rollcall/models/source"
	"rollcall/models/store"
)

// Importer takes a directory over. All fields but Progress and Prefix are required.
type Importer struct {
	// Store is where the records go, and where the run of each family is recorded.
	Store *store.Store
	// Seal encrypts rows that go to quarantine.
	Seal *raw.Seal
	Log  *slog.Logger
	Now  func() time.Time
	// Progress is called now and then with the bytes read so far of all files, from several goroutines; nil
	// for none.
	Progress func(done, total int64)
	// Prefix begins the ids of its sources, before takeover-roster and so on; it may be empty.
	Prefix string
}

// Family is what was taken over of one kind of record.
type Family struct {
	// Family is roster, courts, corrections or links.
	Family string `json:"family"`
	// Rows are those that were read; New, Known and the rows in quarantine add up to it, repetitions aside.
	Rows int `json:"rows"`
	New  int `json:"new"`
	// Known are rows that were known already by their ids, and left as they are.
	Known int `json:"known"`
	// Withheld are records that are not published, above all juveniles.
	Withheld int `json:"withheld"`
	// Quarantined are rows that could not be taken.
	Quarantined int `json:"quarantined"`
	// Reasons counts the rows in quarantine by field and reason.
	Reasons map[string]int `json:"reasons"`
	// LeftOut counts values that no reader may see, of rows that were taken.
	LeftOut map[string]int `json:"left_out"`
	// Seconds is how long the family took.
	Seconds float64 `json:"seconds"`
}

// Report says what an import did. It holds no personal data. Families are in the order roster, corrections,
// courts, links.
type Report struct {
	Families []*Family `json:"families"`
	Seconds  float64   `json:"seconds"`
}

// OK reports whether every row became a record.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Families, func(f *Family) bool { return f.Quarantined > 0 })
}

// keep is how long quarantined rows are kept, as those of sources are.
const keep = 30 * 24 * time.Hour

// Import takes over what dir holds; a family whose file is missing is left out. Each family is taken whole or
// not at all, links after the records they join. A second import of the same directory changes nothing. A
// family whose source is being read by another process is ingest.ErrBusy.
func (im *Importer) Import(ctx context.Context, dir string) (*Report, error) {
	x, err := im.open(dir)
	if err != nil {
		return nil, err
	}
	started := im.Now()
	group, gctx := errgroup.WithContext(ctx)
	roster, corrections, courts := x.family("roster"), x.family("corrections"), x.family("courts")
	// Families do not touch each other's tables, so two of them are taken over at a time.
	group.Go(func() error { return x.run(gctx, roster, x.rosterFiles, x.bookings) })
	group.Go(func() error {
		if err := x.run(gctx, corrections, x.files("corrections.csv"), x.corrections); err != nil {
			return err
		}
		return x.run(gctx, courts, x.files("courts.jsonl"), x.cases)
	})
	report := &Report{Families: []*Family{roster, corrections, courts}}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	links := x.family("links")
	if err := x.run(ctx, links, x.files("links.csv"), x.links); err != nil {
		return nil, err
	}
	report.Families = append(report.Families, links)
	report.Seconds = im.Now().Sub(started).Seconds()
	return report, nil
}

// importing is one import.
type importing struct {
	*Importer
	dir string
	// rosterFiles are those of roster/, in alphabetical order.
	rosterFiles []string
	// total and done are bytes of all files, and of these those read.
	total int64
	done  atomic.Int64
}

// open lists the files and their sizes. A directory without any of them is an error, as it is likely the
// wrong one.
func (im *Importer) open(dir string) (*importing, error) {
	x := &importing{Importer: im, dir: dir}
	var err error
	if x.rosterFiles, err = filepath.Glob(filepath.Join(dir, "roster", "*.csv")); err != nil {
		return nil, fmt.Errorf("list roster files: %w", err)
	}
	all := slices.Concat(x.rosterFiles, x.files("corrections.csv"), x.files("courts.jsonl"), x.files("links.csv"))
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds none of roster/*.csv, corrections.csv, courts.jsonl, links.csv", dir)
	}
	for _, file := range all {
		info, err := os.Stat(file)
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", file, err)
		}
		x.total += info.Size()
	}
	return x, nil
}

// files returns the file of that name, if there is one.
func (x *importing) files(name string) []string {
	path := filepath.Join(x.dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return []string{path}
}

// family returns an empty Family.
func (x *importing) family(name string) *Family {
	return &Family{Family: name, Reasons: map[string]int{}, LeftOut: map[string]int{}}
}

// batch is a family while it is taken over.
type batch struct {
	*importing
	*Family
	ctx context.Context
	// source is the id of its source, and run the number of its run.
	source string
	run    int64
	// now is the instant of everything in the batch.
	now time.Time
	// bad are rows for the quarantine that are not yet written.
	bad []source.QuarantinedRow
}

// run takes one family over as a run of its own source, under the lock of that source.
func (x *importing) run(ctx context.Context, f *Family, files []string, do func(*batch, []string) (snapshot.Applied, error)) error {
	if len(files) == 0 {
		return nil
	}
	b := &batch{importing: x, Family: f, ctx: ctx, source: x.Prefix + "takeover-" + f.Family, now: x.Now()}
	// Links are no family of sources; their run belongs to the records that they lead to.
	kind := f.Family
	if kind == "links" {
		kind = "corrections"
	}
	if _, err := x.Store.PutSource(ctx, source.Entry{ID: b.source, Title: "Taken over from the system before: " + f.Family, Kind: kind}); err != nil {
		return err
	}
	unlock, ok, err := x.Store.LockSource(ctx, b.source)
	if err != nil {
		return err
	}
	if !ok {
		return ingest.ErrBusy
	}
	defer unlock()
	if b.run, err = x.Store.BeginRun(ctx, b.source, b.now); err != nil {
		return err
	}
	// A row that the database rejects, such as a link without its ends, goes to quarantine with the others.
	applied, err := do(b, files)
	if err == nil {
		for _, r := range applied.Rejected {
			b.reject(r.Line, r.Field, r.Reason, "")
		}
		err = b.flush()
	}
	f.Rows, f.New, f.Known, f.Withheld, f.Seconds = applied.Rows, applied.New, applied.Unchanged, applied.Withheld, x.Now().Sub(b.now).Seconds()
	return errors.Join(err, b.finish(context.WithoutCancel(ctx), err))
}

// finish records how the run ended, also after an error or a cancelled context.
func (b *batch) finish(ctx context.Context, failed error) error {
	end := source.RunEnd{State: source.RunOK, At: b.Now(), SnapshotAt: b.now, DataAt: b.now}
	switch {
	case failed != nil:
		end.State, end.Note = source.RunFailed, failed.Error()
	case b.Quarantined > 0:
		end.State = source.RunPartial
	}
	var err error
	if end.Report, err = json.Marshal(b.Family); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	b.Log.InfoContext(ctx, "taken over", "family", b.Family.Family, "run", b.run, "rows", b.Rows, "new", b.New, "quarantined", b.Quarantined, "seconds", b.Seconds)
	return b.Store.FinishRun(ctx, b.run, b.source, end)
}

// reconciler is that of a takeover: nothing is complete, so nobody is absent. Imported makes its claims the
// weakest ones and keeps its bookings from raising events.
func (b *batch) reconciler() snapshot.Reconciler {
	return snapshot.Reconciler{
		Header: snapshot.Header{SourceID: b.source, RunID: b.run, At: b.now, Now: b.now, Imported: true},
		Prove:  func(int) snapshot.Completeness { return snapshot.Completeness{} },
		Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}
}

// reject sends a row to the quarantine, encrypted.
func (b *batch) reject(line int64, field, reason, text string) {
	b.Quarantined++
	what := reason
	if field != "" {
		what = field + ": " + reason
	}
	b.Reasons[what]++
	b.bad = append(b.bad, source.QuarantinedRow{Line: line, Field: field, Reason: reason, Encrypted: b.Seal.Close([]byte(text), raw.Quarantine(b.source))})
}

// flushAt is how many quarantined rows are written together.
const flushAt = 1000

// flush writes the rows for the quarantine.
func (b *batch) flush() error {
	if len(b.bad) == 0 {
		return nil
	}
	_, err := b.Store.Quarantine(b.ctx, b.run, b.source, b.now, b.now.Add(keep), b.bad)
	b.bad = b.bad[:0]
	return err
}

// read counts bytes for the progress.
func (x *importing) read(n int64) {
	done := x.done.Add(n)
	if x.Progress != nil {
		x.Progress(done, x.total)
	}
}

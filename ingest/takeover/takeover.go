// Package takeover brings the records of an existing system into the tables with their ids kept, for
// clients that hold them: roster/*.csv, corrections.csv, links.csv and courts.jsonl of a directory.
// Nothing is announced for what it brings; links count as confirmed; the first snapshot of a county
// recognises its imported bookings. It is no feed: it has no schedule and is never read for absences.
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
	"rollcall/models"
	"rollcall/models/store"
)

// Importer takes a directory over.
type Importer struct {
	Store    *store.Store
	Seal     *ingest.Seal
	Log      *slog.Logger
	Now      func() time.Time
	Progress func(done, total int64) // bytes read so far of all files, now and then; or nil
	Prefix   string                  // of the ids of its sources, before takeover-roster and so on; may be empty
}

// Family is what was taken over of one kind of record.
type Family struct {
	Family      string         `json:"family"` // roster, courts, corrections, links
	Rows        int            `json:"rows"`
	New         int            `json:"new"`
	Known       int            `json:"known"` // known already by their ids, left as they are
	Withheld    int            `json:"withheld"`
	Quarantined int            `json:"quarantined"`
	Reasons     map[string]int `json:"reasons"`
	LeftOut     map[string]int `json:"left_out"` // values that no reader may have, of rows that were taken
	Seconds     float64        `json:"seconds"`
}

// Report says what an import did. It holds no personal data.
type Report struct {
	Families []*Family `json:"families"`
	Seconds  float64   `json:"seconds"`
}

// OK tells whether every row became a record.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Families, func(f *Family) bool { return f.Quarantined > 0 })
}

// keep is how long quarantined rows are kept.
const keep = 30 * 24 * time.Hour

// Import takes over what dir holds; a family whose file is missing is left out. Each family is taken
// whole or not at all, links after the records they join. A second import of the same directory
// changes nothing.
func (im *Importer) Import(ctx context.Context, dir string) (*Report, error) {
	x, err := im.open(dir)
	if err != nil {
		return nil, err
	}
	started := im.Now()
	group, gctx := errgroup.WithContext(ctx)
	roster, corrections, courts := x.family("roster"), x.family("corrections"), x.family("courts")
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
	dir         string
	rosterFiles []string
	total       int64
	done        atomic.Int64
}

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

// files gives the file of that name, if there is one.
func (x *importing) files(name string) []string {
	path := filepath.Join(x.dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return []string{path}
}

func (x *importing) family(name string) *Family {
	return &Family{Family: name, Reasons: map[string]int{}, LeftOut: map[string]int{}}
}

// batch is a family while it is taken over.
type batch struct {
	*importing
	*Family
	ctx    context.Context
	source string
	run    int64
	now    time.Time
	bad    []models.QuarantinedRow
}

// run takes one family over as a run of its own source.
func (x *importing) run(ctx context.Context, f *Family, files []string, do func(*batch, []string) (models.Applied, error)) error {
	if len(files) == 0 {
		return nil
	}
	b := &batch{importing: x, Family: f, ctx: ctx, source: x.Prefix + "takeover-" + f.Family, now: x.Now()}
	kind := f.Family
	if kind == "links" {
		kind = "corrections"
	}
	if _, err := x.Store.PutSource(ctx, models.SourceEntry{ID: b.source, Title: "Taken over from the system before: " + f.Family, Kind: kind}); err != nil {
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

func (b *batch) finish(ctx context.Context, failed error) error {
	end := models.RunEnd{State: models.RunOK, At: b.Now(), SnapshotAt: b.now, DataAt: b.now}
	switch {
	case failed != nil:
		end.State, end.Note = models.RunFailed, failed.Error()
	case b.Quarantined > 0:
		end.State = models.RunPartial
	}
	var err error
	if end.Report, err = json.Marshal(b.Family); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	b.Log.InfoContext(ctx, "taken over", "family", b.Family.Family, "run", b.run, "rows", b.Rows, "new", b.New, "quarantined", b.Quarantined, "seconds", b.Seconds)
	return b.Store.FinishRun(ctx, b.run, b.source, end)
}

// reconciler is the reconciler of a takeover: nothing is complete, nobody is missing.
func (b *batch) reconciler() models.Reconciler {
	return models.Reconciler{
		Snapshot: models.Snapshot{SourceID: b.source, RunID: b.run, At: b.now, Now: b.now, Imported: true},
		Prove:    func(int) models.Verdict { return models.Verdict{} },
		Spared:   func() models.Spared { return models.Spared{} },
	}
}

// reject sends a row to the quarantine.
func (b *batch) reject(line int64, field, reason, raw string) {
	b.Quarantined++
	what := reason
	if field != "" {
		what = field + ": " + reason
	}
	b.Reasons[what]++
	b.bad = append(b.bad, models.QuarantinedRow{Line: line, Field: field, Reason: reason, Sealed: b.Seal.Close([]byte(raw), "quarantine of "+b.source)})
}

// flushAt is how many quarantined rows are written together.
const flushAt = 1000

func (b *batch) flush() error {
	if len(b.bad) == 0 {
		return nil
	}
	err := b.Store.Quarantine(b.ctx, b.run, b.source, b.now, b.now.Add(keep), b.bad)
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

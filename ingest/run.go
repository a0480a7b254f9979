package ingest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
	"rollcall/ingest/raw"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/source"
	"rollcall/models/store"
)

// Runner takes sources through all stages. Its fields are set before the first Run; it is safe for
// concurrent runs of different sources.
type Runner struct {
	Store *store.Store     // where records, runs and archives are
	Seal  *raw.Seal        // encrypts archives and quarantined rows
	Log   *slog.Logger     // ids and counts alone, no personal data
	Now   func() time.Time // the clock
	// Dir is where documents lie in clear while a run reads them. Several processes may share it.
	Dir string
	// Client asks sources over HTTP; nil: a guarded one of each source (fetch.Spec, NewClient).
	Client fetch.Client
	// Keys open the places where files are dropped.
	Keys fetch.Keys
	// Keep is how long raw documents and quarantined rows are kept; 0: raw.Keep.
	Keep time.Duration
	// BaselineWindow is how old a booking may be to fire on a source's first run; 0: a day.
	BaselineWindow time.Duration
	// Progress is called now and then, or nil.
	Progress func(Progress)
	// Patience is how long a run waits for another one of its source to end; 0: not at all. Waiting is called when it begins to
	// wait, or nil.
	Patience time.Duration
	Waiting  func(source string)
}

// Progress says how far a run is.
type Progress struct {
	Stage string // fetch, archive, read, reconcile
	Done  int64  // bytes
	Total int64  // bytes, 0: not known
	Rows  int    // read so far
}

// Input is where the documents of a run come from: given files, else the source's transport.
type Input struct {
	Files []string  // paths; empty: the source is asked
	At    time.Time // the instant that the files speak of; zero: from their names, else now
}

// Ahead is how far a source's clock may be ahead of ours. A snapshot of a later instant would make all that
// follow older than what is known, for ever.
const Ahead = 15 * time.Minute

// Run takes a source through all stages and reports the outcome. Files of a source that lists everybody are snapshots
// of their own if their names state different instants. The report then has the sums of all, with state and note of the
// first that did not go well. A document that cannot be fetched is an outcome, with state failed, and no error.
func (r *Runner) Run(ctx context.Context, s *Source, in Input) (*Report, error) {
	if _, err := r.entry(ctx, s); err != nil {
		return nil, err
	}
	unlock, err := r.lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer unlock()
	// What came while the source was held is older than what is read now, so it goes first.
	if err := r.readHeld(ctx, s); err != nil {
		return nil, err
	}
	entry, err := r.entry(ctx, s) // what was held may have changed what is known
	if err != nil {
		return nil, err
	}
	return r.readAll(ctx, s, entry, in)
}

// readAll reads what a run is to read, as one snapshot or several. The caller holds the source's lock.
// Of several snapshots each is judged by what the one before left, in the order of their instants.
func (r *Runner) readAll(ctx context.Context, s *Source, entry *source.Entry, in Input) (*Report, error) {
	if len(in.Files) == 0 && s.Transport.Drops() {
		return r.readDrop(ctx, s, entry)
	}
	if len(in.Files) == 0 {
		return r.runOnce(ctx, &run{source: s, entry: entry}, func(ctx context.Context, dir string) (*fetch.Found, error) {
			return r.fetch(ctx, s, dir)
		})
	}
	// Files that an operator names are read even if they were read before: nothing changes then.
	groups, err := s.snapshots(in, r.Now())
	if err != nil {
		return nil, err
	}
	total := &Report{}
	for i, group := range groups {
		if i > 0 { // the run before changed what is known
			if entry, err = r.entry(ctx, s); err != nil {
				return nil, err
			}
		}
		report, err := r.runOnce(ctx, &run{source: s, entry: entry}, func(context.Context, string) (*fetch.Found, error) { return &fetch.Found{Documents: group}, nil })
		if err != nil {
			return nil, err
		}
		total.add(report, len(groups))
	}
	return total, nil
}

// entry stores what the document says of its source, and returns it with what the tables know of earlier runs.
func (r *Runner) entry(ctx context.Context, s *Source) (*source.Entry, error) {
	e, err := s.Entry(r.Store.Counties())
	if err != nil {
		return nil, err
	}
	return r.Store.PutSource(ctx, e)
}

// Entry is what the tables are to know of the document.
func (s *Source) Entry(counties *models.Counties) (source.Entry, error) {
	e := source.Entry{ID: s.ID, Title: s.Title, Kind: s.Kind, Interval: s.Schedule.Every, DataInterval: s.Schedule.Data, Lists: s.lists()}
	if s.County == "" {
		return e, nil
	}
	county, err := counties.BySlug(s.County)
	if err != nil {
		return e, fmt.Errorf("county of source %s: %w", s.ID, err)
	}
	e.CountyID = &county.ID
	return e, nil
}

// run is one run: of a source, or of one scope of it as a part of the run that reads the documents (part). Archives and
// freshness are matters of the source's run; completeness, guards and holds are asked of the scope (isScope).
type run struct {
	*Runner
	source *Source
	// entry is what the tables knew of the source or scope when the run began.
	entry   *source.Entry
	id      int64
	started time.Time
	// at is the instant that the snapshot describes: of several documents the newest.
	at time.Time
	// dataAt is the instant of the newest row, by the source's own stamps where it has some.
	dataAt time.Time
	docs   []fetch.Document
	// dir holds the documents and what is made of them. It is removed with the run.
	dir string
	// reading is when the place was looked into where files are dropped; zero: there is none.
	reading time.Time
	report  *Report
	// standing says that a hold stood already: this run does not begin one.
	standing bool

	// replayOf is the run whose documents are read again; 0: these are new.
	replayOf int64
	// readThen is when the source brought the documents that are read again; zero: these are new.
	readThen time.Time
	// rehearse takes what would be, and nothing is applied; nil: it is applied.
	rehearse func(snapshot.Rehearsal)
	// released is set where an operator released the snapshot; nil: nobody did.
	released *release

	// county is that of the scope, of a part; nil: the run reads the documents.
	county *models.County
	// only is the county whose rows are taken, of a run that reads documents again; nil: all are.
	only *models.County
	// parts are the runs of the scopes then, by scope, of a run that reads documents again.
	parts map[string]*source.Run
	// silent says that the run is no news of how fresh its scope is: no row of it could be read.
	silent bool
	// cancelled says that somebody stopped the run before its end.
	cancelled bool
	// scopesHeld says that all scopes are held, so that the source need not be.
	scopesHeld bool
	// toldKeys and toldNow are noted with the source where its scopes are noted apart: the names of values that are known with
	// the run, and what its rows stated, as JSON. nil: as before.
	toldKeys []string
	toldNow  []byte

	// most is how many rows the largest complete snapshot of the day before had; nil: there is none, or it does not matter.
	most *int
	// obscured says that most people are withheld for a birth or an age that cannot be read; else empty.
	obscured string
	// came counts those who are new to a source that reports only changes (newcomers).
	came mapping.Reported
	// again is, of a rehearsal, how many are gone from one key and stand under a new one.
	again int
}

// begin notes the run.
func (u *run) begin(ctx context.Context) (err error) {
	u.started = u.Now()
	u.at = u.started
	// A replay is no attempt: how fresh the source is stays as it was.
	if u.replayOf != 0 {
		u.id, err = u.Store.BeginReplay(ctx, u.source.ID, u.replayOf, u.started)
	} else {
		u.id, err = u.Store.BeginRun(ctx, u.source.ID, u.started)
	}
	u.report = newReport(u.id, u.source.ID)
	u.report.ReplayOf = u.replayOf
	return err
}

// directory is where the runs of r have their documents in clear.
func (r *Runner) directory() raw.Directory { return raw.Directory{Path: r.Dir, Log: r.Log} }

// getter brings the documents of a run into a directory.
type getter func(ctx context.Context, dir string) (*fetch.Found, error)

// runOnce takes the documents that get brings through all stages. u says which source and how.
func (r *Runner) runOnce(ctx context.Context, u *run, get getter) (*Report, error) {
	u.Runner = r
	dir, leave, err := r.directory().Make(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := u.begin(ctx); err != nil {
		return nil, err
	}
	header, err := u.do(ctx, dir, get)
	u.conclude(ctx, err)
	u.report.SnapshotAt, u.report.Seconds = u.at.UTC(), r.Now().Sub(u.started).Seconds()
	// A run that was interrupted is concluded all the same.
	return u.report, u.finish(context.WithoutCancel(ctx), header)
}

// do is a run without its bookkeeping. It returns the header's fingerprint.
func (u *run) do(ctx context.Context, dir string, get getter) (header string, err error) {
	u.dir = dir
	found, err := get(ctx, dir)
	if err != nil {
		return "", err
	}
	u.docs, u.report.Transport = found.Documents, found.Evidence
	for i := range u.docs {
		if u.docs[i].At.After(u.at) || i == 0 {
			u.at = u.docs[i].At
		}
	}
	// Every later snapshot would be late for as long as this one is ahead.
	if err := tooEarly(u.at, u.started.Add(Ahead)); err != nil {
		return "", err
	}
	// Documents are kept before they are read: a mistake of the source document is mended by reading them again.
	if u.replayOf == 0 {
		if err := u.archive(ctx); err != nil {
			return "", err
		}
	}
	return u.reconcile(ctx)
}

// tooEarly refuses a snapshot of an instant after latest, if that is not zero.
func tooEarly(at, latest time.Time) error {
	if latest.IsZero() || !at.After(latest) {
		return nil
	}
	return fmt.Errorf("the snapshot is of %s, which lies in the future: check the name of its file, the instant it was given and the clocks", at.In(models.Georgia).Format("2006-01-02 15:04"))
}

// archive keeps every document as it came.
func (u *run) archive(ctx context.Context) error {
	to := raw.Archive{Store: u.Store, Seal: u.Seal}
	for i, doc := range u.docs {
		u.report.Documents++
		size, err := to.Put(ctx, u.id, u.source.ID, i, doc, u.started, u.expires(), func(done, size int64) { u.progress("archive", done, size, 0) })
		if err != nil {
			return err
		}
		u.report.Bytes += size
	}
	return nil
}

// expires returns when the raw data are deleted that the run stores.
func (u *run) expires() time.Time {
	keep := u.Keep
	if keep == 0 {
		keep = raw.Keep
	}
	return u.started.Add(keep)
}

// progress reports how far a run is, if anybody looks.
func (r *Runner) progress(stage string, done, total int64, rows int) {
	if r.Progress != nil {
		r.Progress(Progress{Stage: stage, Done: done, Total: total, Rows: rows})
	}
}

// each decodes every document of the run. failed takes the error of one, and returns nil where the next one is to be read.
// It is called twice where rows were refused by the tables (quarantine.rejected).
func (u *run) each(read func(doc int, d fetch.Document, packed bool, r io.Reader) error, failed func(doc int, err error) error) error {
	for i, doc := range u.docs {
		// One document is open at a time. A packed one may hold several, each of which is read as one of its own.
		f, err := doc.Open()
		if err != nil {
			return err
		}
		err = decode.Open(doc.Name, f, u.source.Limits.Bytes, func(inner string, packed bool, r io.Reader) error {
			if err := read(i, doc, packed, r); err != nil {
				return fmt.Errorf("read %s: %w", inner, err)
			}
			return nil
		})
		_ = f.Close()
		if err != nil {
			err = failed(i, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lists reports whether the source lists everybody, so that absence means something.
func (s *Source) lists() bool {
	return (s.Publish.Policy == "full_roster" || s.Publish.Policy == "window") && s.Publish.Absence != "nothing"
}

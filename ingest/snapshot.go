package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
	"rollcall/ingest/reconcile"
	"rollcall/models"
)

// docShift puts the number of the document above the line number of a row.
const docShift = 40

// snapshots makes documents of files. Those of a source that lists everybody are grouped by the
// instant that they speak of, oldest first: a group is a snapshot. Others are read together.
func (s *Source) snapshots(in Input, now time.Time) ([][]fetch.Document, error) {
	if in.At.IsZero() {
		in.At = now
	}
	groups := map[int64][]fetch.Document{}
	for _, file := range in.Files {
		doc := fetch.Document{Name: filepath.Base(file), Path: file, At: in.At}
		if at, ok, err := s.Transport.Observed.At(file); err != nil {
			return nil, err
		} else if ok {
			doc.At = at
		}
		key := int64(0)
		if s.lists() {
			key = doc.At.UnixNano()
		}
		groups[key] = append(groups[key], doc)
	}
	var ordered [][]fetch.Document
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		ordered = append(ordered, groups[key])
	}
	return ordered, nil
}

// gathering is what a run learns while its rows stream by.
type gathering struct {
	facts    decode.Facts // of all documents
	doc      int64        // the document being read, at the place where lines have it
	keys     map[uint64]struct{}
	seed     maphash.Seed
	repeated int
	unnamed  int
	untaken  int // rows that could not be read, these included
	spared   models.Spared
	rows     int
	untold   bool // a file of lines declares no total
}

// reconcile streams the rows of all documents into the tables.
func (u *run) reconcile(ctx context.Context) (header string, err error) {
	mapper, err := u.source.mapper(u.Store.Counties())
	if err != nil {
		return "", err
	}
	mapper.Latest = u.started.Add(Ahead)
	q := &quarantine{run: u}
	g := &gathering{keys: map[uint64]struct{}{}, seed: maphash.MakeSeed()}
	r := models.Reconciler{
		Snapshot: models.Snapshot{
			SourceID: u.source.ID, RunID: u.id, At: u.at, Now: u.started, Tracks: u.source.lists(),
			Releases: u.source.Publish.Absence == "released", Confirmations: u.source.Publish.Confirmations, WindowDays: u.source.Publish.WindowDays,
			Proven: u.source.Complete.Total || u.source.Complete.EndMarker, Renumbered: u.entry.Renumbered, BaselineWindow: u.BaselineWindow, Clock: u.Now,
		},
		Prove: func(staged int) models.Verdict {
			header = u.headerPrint(g.facts.Header)
			u.progress("reconcile", 0, 0, staged)
			v, doubts := reconcile.Prove(u.evidence(g, staged, header), u.past())
			u.report.Doubts = append(u.report.Doubts, doubts...)
			v.Rows = g.facts.Rows // with those that could not be read: they must not lower what the next is compared with
			return v
		},
		Spared: func() models.Spared { return g.spared },
		Refuse: func(rejected int) bool { return u.refuse(g, rejected) },
		Turned: u.turned(),
		Same:   reconcile.Same,

		Namesake: reconcile.Namesake,
		Rehearse: u.rehearse,
	}
	applied, verdict, err := u.apply(ctx, r, mapper, g, q)
	u.report.Fetched, u.report.Unknown, u.report.Dropped = g.facts.Rows, mapper.Unknown(), mapper.Omitted()
	u.report.Complete = err == nil && verdict.Complete && u.source.lists()
	if ferr := q.flush(context.WithoutCancel(ctx)); err == nil {
		err = ferr
	}
	if err != nil {
		return header, err
	}
	u.report.take(applied)
	u.report.Drift = append(u.report.Drift, u.source.drift(g.facts.Header)...)
	return header, q.rejected(ctx, applied.Rejected)
}

func (u *run) apply(ctx context.Context, r models.Reconciler, m *mapping.Mapper, g *gathering, q *quarantine) (models.Applied, models.Verdict, error) {
	read := func(to sink) error {
		to.rejected = func(bad *mapping.Rejected) error { return g.reject(ctx, bad, q) }
		return u.each(func(i int, doc fetch.Document, text io.Reader) error { return u.read(ctx, i, doc, text, m, g, to) })
	}
	switch u.source.Kind {
	case "roster":
		return u.Store.ReconcileRoster(ctx, r, stream(func(yield func(*models.RosterRow) error) error {
			return read(sink{roster: func(row *models.RosterRow) error {
				row.Line |= g.doc
				g.see(row.Key)
				u.dated(row.SeenAt)
				return yield(row)
			}})
		}))
	case "courts":
		return u.Store.ReconcileCourts(ctx, r, stream(func(yield func(*models.CourtRow) error) error {
			return read(sink{court: func(row *models.CourtRow) error {
				row.Line |= g.doc
				return yield(row)
			}})
		}))
	default:
		return u.Store.ReconcileCorrections(ctx, r, stream(func(yield func(*models.CorrectionsRow) error) error {
			return read(sink{corrections: func(row *models.CorrectionsRow) error {
				row.Line |= g.doc
				g.see(row.GDCID)
				u.dated(row.SeenAt)
				return yield(row)
			}})
		}))
	}
}

// read takes one document through the pure stages.
func (u *run) read(ctx context.Context, i int, doc fetch.Document, text io.Reader, m *mapping.Mapper, g *gathering, to sink) error {
	g.doc = int64(i) << docShift
	counted := &counter{r: text, tell: func(n int64) error {
		u.progress("read", n, 0, g.facts.Rows)
		return ctx.Err()
	}}
	var facts decode.Facts
	err := u.source.rows(m, counted, doc.At, &facts, to)
	g.add(facts, u.source.Decode.Format.Lined())
	return err
}

// add sums what the documents of a snapshot say of themselves. Each file of lines declares its own rows, each
// page of other formats those of all pages.
func (g *gathering) add(f decode.Facts, lined bool) {
	g.untold = g.untold || lined && f.Total == nil
	if lined && f.Total != nil && g.facts.Total != nil {
		sum := *g.facts.Total + *f.Total
		f.Total = &sum
	}
	g.facts.Rows += f.Rows
	g.facts.Lines += f.Lines
	g.facts.Marker = g.facts.Marker || f.Marker
	if f.Total != nil {
		g.facts.Total = f.Total
	}
	if g.facts.Header == nil {
		g.facts.Header = f.Header
	}
}

// see counts a key.
func (g *gathering) see(key string) {
	g.rows++
	sum := maphash.String(g.seed, key)
	if _, again := g.keys[sum]; again {
		g.repeated++
		return
	}
	g.keys[sum] = struct{}{}
}

// reject sends a row to the quarantine and remembers whom it speaks of: nobody is missing whose row
// merely could not be read.
func (g *gathering) reject(ctx context.Context, bad *mapping.Rejected, q *quarantine) error {
	g.untaken++
	if bad.Who == "" && bad.Key == "" {
		g.unnamed++
	}
	if bad.Who != "" {
		g.spared.Names = append(g.spared.Names, bad.Who)
	}
	if bad.Key != "" {
		g.spared.Keys = append(g.spared.Keys, bad.Key)
	}
	bad.Line |= g.doc
	return q.add(ctx, bad)
}

// past is what the snapshot is compared with; a rehearsal asks what a release by the operator would do.
func (u *run) past() reconcile.Past {
	if u.rehearse != nil {
		return reconcile.Past{At: u.entry.LastComplete}
	}
	return reconcile.Past{Rows: u.entry.LastRows, HeaderPrint: u.entry.HeaderPrint, At: u.entry.LastComplete, Held: u.entry.HeldSince != nil}
}

// turned is the guard against keys that mean something else now. It compares with the last complete
// snapshot, so it sleeps where there is none: at first, and once after an operator's release. A rehearsal
// only notes what it saw.
func (u *run) turned() func(models.Turnover) string {
	switch {
	case u.rehearse != nil:
		return func(t models.Turnover) string {
			u.again = t.Again
			return ""
		}
	case u.entry.LastRows == nil:
		return nil
	default:
		return func(t models.Turnover) string { return reconcile.Turned(t, u.source.Complete.Turnover) }
	}
}

func (u *run) evidence(g *gathering, staged int, header string) reconcile.Evidence {
	c, total := u.source.Complete, g.facts.Total
	if g.untold {
		total = nil
	}
	return reconcile.Evidence{
		Lists: u.source.lists(), Fetched: true, Rows: g.facts.Rows, Staged: staged, Repeated: g.repeated, Unnamed: g.unnamed, Untaken: g.untaken,
		NeedTotal: c.Total, Total: total, Lines: g.facts.Lines, NeedMarker: c.EndMarker, Marker: g.facts.Marker, HeaderPrint: header,
		MinRows: c.MinRows, Shrink: c.Shrink, HoldDrift: u.source.Drift == "hold", At: u.at,
	}
}

// refuse tells whether the rows that could not be read and those that the identity guard rejected are
// too many together, and notes it as a doubt where it is one more.
func (u *run) refuse(g *gathering, rejected int) bool {
	untaken := g.untaken + rejected
	if !u.source.lists() || !reconcile.TooMany(untaken, g.untaken+g.rows) || reconcile.TooMany(g.untaken, g.untaken+g.rows) {
		return false
	}
	u.report.Doubts = append(u.report.Doubts, reconcile.UntakenDoubt(untaken, g.untaken+g.rows))
	return true
}

// headerPrint is the fingerprint of a header without optional columns, which may come and go. One that was
// known with them stays good.
func (u *run) headerPrint(columns []string) string {
	whole := headerPrint(columns)
	if known := u.entry.HeaderPrint; known != nil && *known == whole {
		return whole
	}
	return headerPrint(slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(u.source.Decode.Optional, c) }))
}

// headerPrint is a fingerprint of column names and their order.
func headerPrint(columns []string) string {
	if len(columns) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(columns, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// drift names the columns that the document does not know.
func (s *Source) drift(header []string) []string {
	if len(s.Decode.Columns) == 0 {
		return nil
	}
	var unknown []string
	for _, c := range header {
		if !s.Decode.Expects(c) {
			unknown = append(unknown, fmt.Sprintf("column %q is not known", c))
		}
	}
	return unknown
}

// dated notes the instant that a row speaks of.
func (u *run) dated(at time.Time) {
	if at.After(u.dataAt) {
		u.dataAt = at
	}
}

// spokenOf is how old the data of the run is: as old as the newest of its rows, by the source's own stamps.
// A source that tells only what changed may have nothing newer to tell; its data is as old as its rows only
// where something newer is known of all of them.
func (u *run) spokenOf() time.Time {
	allOlder := u.report.Older > 0 && u.report.Older == u.report.Parsed
	if u.dataAt.IsZero() || !u.source.lists() && !allOlder {
		return u.at
	}
	return u.dataAt
}

// finish writes the report with the run.
func (u *run) finish(ctx context.Context, header string) error {
	text, err := json.Marshal(u.report)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	note := u.report.Note
	u.Log.InfoContext(ctx, "source was read", "source", u.source.ID, "run", u.id, "state", u.report.State, "fetched", u.report.Fetched, "new", u.report.New,
		"changed", u.report.Changed, "closed", u.report.Closed, "quarantined", u.report.Quarantined, "seconds", u.report.Seconds)
	failures, until := u.source.backOff(u.report.State, u.entry.Failures, u.Now())
	return u.Store.FinishRun(ctx, u.id, u.source.ID, models.RunEnd{
		State: u.report.State, At: u.Now(), SnapshotAt: u.at, DataAt: u.spokenOf(), Report: text, Note: note, HeaderPrint: header, Failures: failures, NotBefore: until, Replay: u.replayOf != 0,
	})
}

// errStopped ends a stream whose reader has had enough.
var errStopped = errors.New("stopped")

// stream turns a function that pushes rows into one that is pulled from.
func stream[T any](push func(yield func(T) error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := push(func(row T) error {
			if !yield(row, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			var none T
			yield(none, err)
		}
	}
}

// counter tells every megabyte how much was read.
type counter struct {
	r       io.Reader
	n, told int64
	tell    func(n int64) error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); c.n-c.told > chunk {
		c.told = c.n
		if terr := c.tell(c.n); terr != nil {
			return n, terr
		}
	}
	return n, err
}

package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
	"rollcall/ingest/reconcile"
	"rollcall/models"
)

// place is where a row of a run stands. The tables carry it as one number.
type place struct {
	document int   // of the run, from 0
	line     int64 // of the document
}

// documentShift leaves 40 bits for the line: a document has fewer lines than bytes.
const documentShift = 40

func (p place) number() int64 { return int64(p.document)<<documentShift | p.line }

// placed returns the place with a number.
func placed(number int64) place {
	return place{document: int(number >> documentShift), line: number & (1<<documentShift - 1)}
}

// snapshots makes documents of files. Those of a source that lists everybody are grouped by the
// instant that they speak of, oldest first: a group is a snapshot. Others are read together.
func (s *Source) snapshots(in Input, now time.Time) ([][]fetch.Document, error) {
	var docs []fetch.Document
	named := map[string]bool{}
	for _, file := range in.Files {
		doc := fetch.Document{Name: filepath.Base(file), Path: file, At: in.At}
		at, ok, err := s.Transport.Observed.At(file)
		if err != nil {
			return nil, err
		}
		switch named[file] = ok; {
		case ok:
			doc.At = at
		case in.At.IsZero() && s.Transport.Observed.Regex != "":
			return nil, fmt.Errorf("%w, or tell the instant (--at)", s.misnamed(doc.Name))
		case in.At.IsZero():
			doc.At = now
		}
		docs = append(docs, doc)
	}
	if !s.lists() {
		return [][]fetch.Document{docs}, nil
	}
	slices.SortStableFunc(docs, func(a, b fetch.Document) int { return a.At.Compare(b.At) })
	return groupParts(docs, func(d fetch.Document) part { return part{d.At, named[d.Path], s.Transport.Observed.Stem(d.Path)} }), nil
}

// steadyWindow is from how many days on a list of the last so many does not empty within one by age alone.
const steadyWindow = 7

// reconcile streams the rows of all documents into the tables.
func (u *run) reconcile(ctx context.Context) (header string, err error) {
	mapper, err := u.source.mapper(u.Store.Counties())
	if err != nil {
		return "", err
	}
	mapper.Latest = u.started.Add(Ahead)
	fewer, err := u.fewer(ctx)
	if err != nil {
		return "", err
	}
	if days := u.source.Publish.WindowDays; u.source.lists() && (days == 0 || days >= steadyWindow) {
		if u.most, err = u.Store.MostRows(ctx, u.source.ID, u.at); err != nil {
			return "", err
		}
	}
	q := &quarantine{run: u}
	g := &gathering{keys: map[uint64]uint32{}, seed: maphash.MakeSeed(), names: u.source.names()}
	r := models.Reconciler{
		Snapshot: models.Snapshot{
			SourceID: u.source.ID, RunID: u.id, At: u.at, Documents: len(u.docs), Now: u.started, Tracks: u.source.lists(),
			Releases: u.source.Publish.Absence == "released", Confirmations: u.confirmations(), WindowDays: u.source.Publish.WindowDays,
			OtherBytes: u.source.Kind == "roster" && !u.source.proves() && !u.report.Transport.Asked, Unnumbered: u.source.unnumbered(),
			Composite: u.source.composite(), Renumbered: u.released.renumbered(), Approved: u.released != nil, Returns: u.replayOf != 0, BaselineWindow: u.BaselineWindow, Clock: u.Now,
		},
		Prove: func(staged int) models.Verdict {
			header = u.headerPrint(g.facts.Header)
			u.progress("reconcile", 0, 0, staged)
			e := u.evidence(g, staged, header)
			now := mapper.Told()
			e.Fewer = fewer
			e.Lost, e.Blind = u.gone(now)
			faded := u.faded(mapper, now)
			e.Strange = u.strange(g.names)
			v, doubts := reconcile.Prove(e, u.past())
			u.report.Drift = append(append(u.report.Drift, reconcile.Faded(faded, e.Lost)...), e.Strange...)
			v.Keys, v.Lost = u.known(g.names), reconcile.Lost(faded, now)
			if len(e.Lost) == 0 {
				v.Told, _ = json.Marshal(u.remembered(now)) // counts alone: that can not go wrong
			}
			u.report.Doubts = append(u.report.Doubts, doubts...)
			v.Rows = g.facts.Rows // with those that could not be read: they must not lower what the next is compared with
			return v
		},
		Spared: func() models.Spared { return g.spared },
		Refuse: func(rejected int) bool { return u.refuse(g, rejected) },
		Turned: u.turned(),
		Upset:  u.upset(),

		Rehearse: u.rehearse,
	}
	applied, verdict, err := u.apply(ctx, r, mapper, g, q)
	u.report.Fetched, u.report.Unknown, u.report.Dropped = g.facts.Rows, mapper.Unknown(), mapper.Omitted()
	u.obscured = reconcile.Obscured(mapper.Told())
	u.report.Complete = err == nil && verdict.Complete && u.source.lists()
	if ferr := q.flush(context.WithoutCancel(ctx)); err == nil {
		err = ferr
	}
	if err != nil {
		return header, err
	}
	u.report.take(applied)
	u.report.Drift = append(u.report.Drift, u.drift(g.facts.Header, header)...)
	return header, q.rejected(ctx, applied.Rejected)
}

func (u *run) apply(ctx context.Context, r models.Reconciler, m *mapping.Mapper, g *gathering, q *quarantine) (models.Applied, models.Verdict, error) {
	read := func(to sink) error {
		to.rejected = func(bad *mapping.Rejected) error { return g.reject(ctx, bad, q) }
		return u.each(func(i int, doc fetch.Document, packed bool, text io.Reader) error {
			return u.read(ctx, i, doc, packed, text, m, g, to)
		})
	}
	switch u.source.Kind {
	case "roster":
		return u.Store.ReconcileRoster(ctx, r, stream(func(yield func(*models.RosterRow) error) error {
			return read(sink{roster: func(row *models.RosterRow) error {
				row.Line = g.place(row.Line)
				g.see(row.Key, row.Print)
				u.dated(row.SeenAt)
				return yield(row)
			}})
		}))
	case "courts":
		return u.Store.ReconcileCourts(ctx, r, stream(func(yield func(*models.CourtRow) error) error {
			return read(sink{court: func(row *models.CourtRow) error {
				row.Line = g.place(row.Line)
				return yield(row)
			}})
		}))
	default:
		return u.Store.ReconcileCorrections(ctx, r, stream(func(yield func(*models.CorrectionsRow) error) error {
			return read(sink{corrections: func(row *models.CorrectionsRow) error {
				row.Line = g.place(row.Line)
				g.see(row.GDCID, row.Print)
				u.dated(row.SeenAt)
				return yield(row)
			}})
		}))
	}
}

// read takes one document through the pure stages.
func (u *run) read(ctx context.Context, i int, doc fetch.Document, packed bool, text io.Reader, m *mapping.Mapper, g *gathering, to sink) error {
	g.document = i
	counted := &counter{r: text, tell: func(n int64) error {
		u.progress("read", n, 0, g.facts.Rows)
		return ctx.Err()
	}}
	facts := decode.Facts{Keys: g.names, Whole: packed || u.report.Transport.Asked && !u.report.Transport.Open}
	at := doc.At
	if u.source.lists() {
		at = u.at // one instant for all of a snapshot's files, or what the first told would be missing at the last
	}
	err := u.source.rows(m, counted, at, &facts, to)
	g.add(facts, u.source.Decode.Format.Lined())
	return err
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

package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
	"rollcall/ingest/reconcile"
	"rollcall/ingest/unknown"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// reading is what is known of the documents of a run when all of them are read.
type reading struct {
	// The fingerprint of the columns, without those that may come and go. Empty for formats that have no header.
	header string
	fewer  string // why files may be missing, or nothing
	// How many rows stated each field: what the next snapshot is compared with.
	now mapping.Reported
	// What the rows stated before and do not any more, and what is new in them.
	lost, blind, faded, unknown []string
	keys                        []string // the names of values that are known with it; nil: as before
}

// reconcile brings the rows of all documents into the tables: as one snapshot, or one of each county that they name.
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
	g := newGathering(unknown.Keys(&u.source.Decode, u.source.Fields))
	q := &quarantine{run: u}
	doc := &documents{run: u, mapper: mapper, gathered: g, bad: q, seen: reading{fewer: fewer}}
	if u.source.several() {
		err = doc.eachScope(ctx)
	} else {
		err = doc.whole(ctx)
	}
	u.report.Fetched, u.report.Unknown, u.report.Dropped = g.facts.Rows, mapper.Unknown(), mapper.Omitted()
	u.obscured = reconcile.Obscured(mapper.Reported())
	// Rows in quarantine are kept also where the run failed: they may be why.
	if ferr := q.flush(context.WithoutCancel(ctx)); err == nil {
		err = ferr
	}
	if err != nil {
		return doc.seen.header, err
	}
	u.report.Drift = append(u.report.Drift, u.drift(g.facts.Header, doc.seen.header)...)
	// The tables refused these rows after all were read, so their text is read once more.
	return doc.seen.header, q.rejected(ctx, doc.rejected)
}

// documents are what a run reads, on its way into the tables.
type documents struct {
	*run
	mapper   *mapping.Mapper
	gathered *gathering
	bad      *quarantine
	rejected []snapshot.RejectedRow
	seen     reading
}

// whole takes the rows as one snapshot of the source.
func (d *documents) whole(ctx context.Context) error {
	if err := d.measure(ctx); err != nil {
		return err
	}
	// The tables call Prove when all rows are staged: what is known only at the end of the documents is known then.
	r := d.reconciler(d.gathered)
	r.Prove = func(staged int) snapshot.Completeness {
		d.finishReading()
		d.report.Drift = append(d.report.Drift, d.news()...)
		v := d.verdict(&d.seen, d.gathered, d.gathered.facts.Rows, staged)
		v.Keys = d.seen.keys
		// A snapshot that lacks fields is no measure: the next one would be compared with the damage.
		if len(d.seen.lost) == 0 {
			v.Reported = d.told()
		}
		return v
	}
	applied, err := d.apply(ctx, d.gathered, r, func(to sink) error { return d.rows(ctx, to) })
	d.rejected = applied.Rejected
	return err
}

// rows streams the rows of all documents.
func (d *documents) rows(ctx context.Context, to sink) error {
	to.rejected = func(bad *mapping.Rejected) error { return d.gathered.reject(ctx, bad, d.bad) }
	return d.each(func(i int, doc fetch.Document, packed bool, text io.Reader) error {
		return d.read(ctx, i, doc, packed, text, d.mapper, d.gathered, to)
	}, func(i int, err error) error { return d.setAside(ctx, i, err) })
}

// setAside notes that a file cannot be read, and lets the others be read: where files say what changed, none needs the others, and
// one county must not wait for the file of another. It returns the error where the run ends with it: one of ours, of a list
// or of answers, which are whole only together, or of all files.
func (d *documents) setAside(ctx context.Context, i int, err error) error {
	var ours *takingError
	if ctx.Err() != nil || errors.As(err, &ours) || errors.Is(err, decode.ErrRefused) || d.source.lists() || d.report.Transport.Asked || len(d.report.aside)+1 == len(d.docs) {
		return err
	}
	d.report.aside = append(d.report.aside, i)
	d.report.Unreadable = append(d.report.Unreadable, err.Error())
	return nil
}

// finishReading stores what is known only when all rows are read: the fields that are gone, and those that are new.
func (d *documents) finishReading() {
	d.seen.header = d.headerPrint(d.gathered.facts.Header)
	d.seen.now = d.mapper.Reported()
	d.seen.lost, d.seen.blind = d.gone(d.seen.now)
	d.seen.faded = d.run.faded(d.mapper, d.seen.now)
	d.seen.unknown = d.unknownFields(d.gathered.names)
	d.seen.keys = unknown.Known(d.gathered.names, d.entry.Keys)
}

// news says what is new in the rows, and what is gone.
func (d *documents) news() []string {
	return append(reconcile.MissingFieldNotes(d.seen.faded, d.seen.lost), d.seen.unknown...)
}

// told returns what the next snapshot is compared with, as JSON.
func (d *documents) told() []byte {
	text, _ := json.Marshal(d.remembered(d.seen.now)) // counts alone: that can not go wrong
	return text
}

// steadyWindow is from how many days on a list of the last so many does not empty within one by age alone.
const steadyWindow = 7

// measure looks how large the snapshots of the day before were.
func (u *run) measure(ctx context.Context) (err error) {
	// Within a day a list of few days loses most people by their age alone, so its size says nothing of harm.
	if days := u.source.Publish.WindowDays; u.source.lists() && (days == 0 || days >= steadyWindow) {
		u.most, err = u.Store.MostRows(ctx, u.entry.ID, u.at)
	}
	return err
}

// verdict returns how complete a snapshot of that many rows is, of which staged could be taken. Models call it when all
// rows are staged, because some doubts are counts of them.
func (u *run) verdict(doc *reading, g *gathering, rows, staged int) snapshot.Completeness {
	u.progress("reconcile", 0, 0, staged)
	// Three counts differ: rows that were read, those of them that are people, and those that could be taken.
	e := u.evidence(g, staged, doc.header)
	people := rows - g.slips // a file that lists everybody twice has no more people, and the next one did not shrink
	e.Scope, e.Fewer, e.Lost, e.MissingAgeEvidence, e.UnknownFields = people, doc.fewer, doc.lost, doc.blind, doc.unknown
	v, doubts := reconcile.Prove(e, u.past())
	v.MissingFields = reconcile.Lost(doc.faded, doc.now)
	u.report.Doubts = append(u.report.Doubts, doubts...)
	v.Rows = people // with those that could not be read: they must not lower what the next is compared with
	return v
}

// reconciler says how a snapshot of the run's scope is read, but for what proves it.
func (u *run) reconciler(g *gathering) snapshot.Reconciler {
	return snapshot.Reconciler{
		Header: snapshot.Header{
			SourceID: u.entry.ID, RunID: u.id, At: u.at, Documents: len(u.docs), Now: u.started, Tracks: u.source.lists(),
			Releases: u.source.Publish.Absence == "released", Confirmations: u.confirmations(), WindowDays: u.source.Publish.WindowDays,
			CopiesAfter: u.copiesAfter(), Unnumbered: u.source.unnumbered(),
			Composite: u.source.composite(), Renumbered: u.released.renumbered(), Approved: u.approved(), Returns: u.replayOf != 0, BaselineWindow: u.BaselineWindow, Clock: u.Now,
		},
		Exempt:          func() snapshot.Exempt { return g.spared },
		Refuse:          func(rejected int) bool { return u.refuse(g, rejected) },
		GuardTurnover:   u.turned(),
		GuardMassChange: u.upset(),

		Rehearse: u.rehearse,
	}
}

// apply brings the rows that push yields into the tables, and reports what became of them.
func (u *run) apply(ctx context.Context, g *gathering, r snapshot.Reconciler, push func(to sink) error) (snapshot.Applied, error) {
	// Before anything is staged, as all of it would be in vain.
	if err := u.refuseFuture(); err != nil {
		return snapshot.Applied{}, err
	}
	applied, verdict, err := u.store(ctx, g, r, push)
	if err != nil {
		return snapshot.Applied{}, err
	}
	u.report.Complete = verdict.Complete && u.source.lists()
	u.report.take(applied)
	return applied, nil
}

// store brings the rows that push yields into the tables of their family.
func (u *run) store(ctx context.Context, g *gathering, r snapshot.Reconciler, push func(to sink) error) (snapshot.Applied, snapshot.Completeness, error) {
	switch u.source.Kind {
	case "roster":
		came := u.newcomers()
		return u.Store.ReconcileRoster(ctx, r, stream(func(yield func(*snapshot.RosterRow) error) error {
			err := push(sink{roster: func(row *snapshot.RosterRow) error {
				row.Line = g.place(row.Line)
				g.see(row.Key, row.Fingerprint)
				came.see(row)
				u.dated(row.SeenAt)
				return yield(row)
			}})
			if err != nil {
				return err
			}
			return came.count(ctx)
		}))
	case "courts":
		return u.Store.ReconcileCourts(ctx, r, stream(func(yield func(*snapshot.CourtRow) error) error {
			return push(sink{court: func(row *snapshot.CourtRow) error {
				row.Order = cmp.Or(row.Order, u.order(g.document, row.Line))
				row.Line = g.place(row.Line)
				return yield(row)
			}})
		}))
	default:
		return u.Store.ReconcileCorrections(ctx, r, stream(func(yield func(*snapshot.CorrectionsRow) error) error {
			return push(sink{corrections: func(row *snapshot.CorrectionsRow) error {
				row.Line = g.place(row.Line)
				g.see(row.GDCID, row.Fingerprint)
				u.dated(row.SeenAt)
				return yield(row)
			}})
		}))
	}
}

// refuseFuture refuses to read on where a complete snapshot of the future is known. Every row would be older than it, so nobody would
// be booked or released, and nothing would say so.
func (u *run) refuseFuture() error {
	last := u.entry.LastComplete
	if last == nil || !last.After(u.started.Add(Ahead)) {
		return nil
	}
	return fmt.Errorf("it knows a snapshot of %s, which is in the future: correct the clock of this machine, then run: rollcall sources heal %s",
		last.UTC().Format(time.RFC3339), u.source.ID)
}

// read takes one document through the pure stages.
func (u *run) read(ctx context.Context, i int, doc fetch.Document, packed bool, text io.Reader, m *mapping.Mapper, g *gathering, to sink) error {
	g.document = i
	m.Within = u.source.countyOf(doc.Name, u.Store.Counties())
	counted := &counter{r: text, tell: func(n int64) error {
		u.progress("read", n, 0, g.facts.Rows)
		return ctx.Err()
	}}
	facts := decode.Facts{Keys: g.names, Whole: packed || u.report.Transport.Asked && !u.report.Transport.Open}
	// Where only changes are reported, each document speaks of its own instant.
	at := doc.At
	if u.source.lists() {
		at = u.at // one instant for all of a snapshot's files; else the rows of the first would be absent at that of the last
	}
	err := u.source.rows(m, counted, at, &facts, to)
	g.add(facts, u.source.Decode.Format.Lined())
	return err
}

// countyOf is the county of which the name of a file says that its rows are; 0: none.
func (s *Source) countyOf(name string, counties *models.Counties) int16 {
	if county := counties.Find(s.Transport.CountyOf(name)); county != nil {
		return county.ID
	}
	return 0
}

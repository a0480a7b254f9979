package roster

import (
	"context"
	"embed"
	"iter"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/sqlfile"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// roster is a snapshot of a roster on its way: the claims and bookings that it may change, in memory. Bookings that
// nobody knew are written in chunks and not kept.
type roster struct {
	*engine.Run
	claims    map[resolve.ID]*resolve.BookingClaim        // that became others, or may
	created   []*resolve.BookingClaim                     // of these, those that are new
	of        map[int64][]*resolve.BookingClaim           // all claims of the bookings at hand
	before    map[int64]*resolve.BookingRecord            // the bookings at hand, as they were
	after     map[int64]*resolve.BookingState             // and as they are
	diffs     map[int64][]resolve.Version                 // what differs between the two
	told      map[int64]bool                              // bookings that a row of the snapshot reports anew
	seen      map[int64]time.Time                         // when the source listed them last, before the snapshot
	again     map[string][]engine.Row[snapshot.RosterRow] // rows whose keys name other bookings than before
	rekeyed   map[string]int64                            // newcomers that were recognised under other keys
	fresh     map[string]bool                             // keys that were dealt with as newcomers
	firstID   int64                                       // the first of the bookings that the run made; 0: none
	lastID    int64                                       // and the last
	newest    time.Time                                   // the newest booking or release of those that are published
	slugs     map[int16]string                            // of counties
	rows      int                                         // of known bookings
	spoken    int                                         // of these, those of open bookings
	overdue   int                                         // bookings released by times long before they were listed last
	gone      time.Time                                   // when the last of those was seen whom absence releases
	joined    map[string]bool                             // keys that go apart from the booking that they were attached to
	versions  []engine.Version                            // of bookings that the run made
	unchanged map[int64]int                               // rows of bookings that say what is known
	lead      map[int64]resolve.BookingClaim              // by which the source spoke of bookings until now, where another one may from now on
	split     map[string]*resolve.BookingClaim            // claims of keys that go apart
	empty     bool                                        // nothing was known before
	policed   map[string]bool                             // sources whose policy is loaded whole
	cases     []int64                                     // court cases that say more or less of somebody's age than before
}

//go:embed sql/*.sql
var files embed.FS

// Family are the tables of bookings.
var Family = engine.NewFamily(engine.Family{
	Kind: models.Roster, Claims: "roster_claims", Records: "bookings", Key: "rid", ID: "id", Parts: []string{"booking_charges"},
}, sqlfile.Load(files))

// Reconcile brings one snapshot of a roster into the tables, in one transaction. The same snapshot twice changes
// nothing; an older one never takes back what a newer one said. Only a snapshot that the verdict calls complete may miss
// anybody. A HeldError means that nothing was applied.
func Reconcile(ctx context.Context, on engine.Database, r snapshot.Reconciler, rows iter.Seq2[*snapshot.RosterRow, error]) (snapshot.Applied, snapshot.Completeness, error) {
	ro, withheld := newRoster(), 0
	return engine.Reconcile(ctx, on, Family, r, incomingBookings(rows, &withheld), ro.steps(&withheld))
}

func newRoster() *roster {
	return &roster{
		claims: map[resolve.ID]*resolve.BookingClaim{}, of: map[int64][]*resolve.BookingClaim{}, before: map[int64]*resolve.BookingRecord{},
		after: map[int64]*resolve.BookingState{}, diffs: map[int64][]resolve.Version{}, told: map[int64]bool{}, seen: map[int64]time.Time{}, again: map[string][]engine.Row[snapshot.RosterRow]{},
		rekeyed: map[string]int64{}, fresh: map[string]bool{}, joined: map[string]bool{}, policed: map[string]bool{}, unchanged: map[int64]int{}, lead: map[int64]resolve.BookingClaim{}, split: map[string]*resolve.BookingClaim{},
	}
}

// incomingBookings are rows as they are staged. The fingerprint covers what says something of the age without being a
// fact of its own.
func incomingBookings(rows iter.Seq2[*snapshot.RosterRow, error], withheld *int) iter.Seq2[engine.Incoming, error] {
	return func(yield func(engine.Incoming, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(engine.Incoming{}, err)
				return
			}
			if r.Withheld != "" {
				*withheld++
			}
			r.SeenAt = resolve.Instant(r.SeenAt)
			r.Fingerprint = fingerprint(r)
			in := engine.Incoming{Line: r.Line, Key: r.Key, SaidAt: r.SeenAt, Fingerprint: r.Fingerprint, PersonKey: r.PersonKey, Row: r}
			if !r.KeyOnly {
				in.County, in.NameKey, in.DOB = r.CountyID, match.SearchKey(r.Name), r.DOB
				booked := resolve.Instant(r.BookedAt)
				in.BookedAt = &booked
			}
			if !yield(in, nil) {
				return
			}
		}
	}
}

func fingerprint(r *snapshot.RosterRow) []byte {
	if r.Fingerprint == nil {
		return nil
	}
	tail := make([]byte, 0, len(r.Fingerprint)+12)
	tail = append(append(tail, r.Fingerprint...), string(r.Sign)...)
	if r.Adult {
		tail = append(tail, '+')
	}
	return append(tail, string(r.AgeDoubt)...)
}

// start notes what resolving needs to know of the source, for the runs of others too.
func (ro *roster) start(ctx context.Context) error {
	ro.policed[ro.SourceID] = true
	if err := ro.One(ctx, "no_bookings", nil, &ro.empty); err != nil || ro.Imported {
		return err
	}
	return ro.Do(ctx, "roster_policy", engine.Args{"source": ro.SourceID, "releases": ro.Releases, "window": ro.WindowDays})
}

// touchClaim notes that a claim may have become another, and with it its booking.
func (ro *roster) touchClaim(c *resolve.BookingClaim) {
	ro.claims[c.ID()] = c
	ro.Touch(c.Record)
}

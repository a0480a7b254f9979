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
// nobody knew are written in chunks and not kept. Most fields are left empty by what is no snapshot: an import, cases
// that bookings follow, an operator's decision.
type roster struct {
	*engine.Run

	// claims are those that became others, or may have. Each booking at hand shares its claims with of.
	claims map[resolve.ID]*resolve.BookingClaim
	// created are the claims of newcomers that the run attached to known bookings.
	created []*resolve.BookingClaim
	// attracted are those of them, and of claims that go apart, that came by a booking which was merged.
	attracted []engine.Attracted
	// of holds all claims of the bookings at hand, of every source.
	of map[int64][]*resolve.BookingClaim
	// before holds the bookings at hand as they are stored, after as they resolve, and diffs what differs between the two.
	before map[int64]*resolve.BookingRecord
	after  map[int64]*resolve.BookingState
	diffs  map[int64][]resolve.Version
	// lead is the claim by which the source spoke of a booking until now, where another one may from now on.
	lead map[int64]resolve.BookingClaim

	// again are the rows whose keys name other bookings than before: a number used again, or a key that goes apart.
	// This map and those down to pending hold keys that do more than repeat a known booking. recognise looks for the bookings
	// that they mean.
	again map[string][]engine.Row[snapshot.RosterRow]
	// rekeyed are newcomers that were recognised under other keys, with their bookings.
	rekeyed map[string]int64
	// fresh are the keys that were dealt with as newcomers.
	fresh map[string]bool
	// joined are the keys that were attached to one booking and that the snapshot lists beside each other: they go apart. split
	// holds their claims.
	joined map[string]bool
	split  map[string]*resolve.BookingClaim
	// pending are the claims of releases whose bookings the snapshot reports at last.
	pending map[string]*resolve.BookingClaim

	// told are the bookings of which a row of the snapshot reports something new.
	// What stands from here to gone is counted while rows are folded, for the guards and the report.
	told map[int64]bool
	// seen is when the source listed bookings last, before the snapshot.
	seen map[int64]time.Time
	// unchanged counts the rows of bookings that only repeat what is known.
	unchanged map[int64]int
	// rows counts those of known keys, and spoken those that report something new of open bookings.
	rows, spoken int
	// bonds counts, by the text of a new bond, the rows that put it in the place of a known one.
	bonds map[string]int
	// overdue counts the bookings released by times long before they were last listed.
	overdue int
	// gone is when the last of those was seen whom absence releases.
	gone time.Time

	// firstID and lastID are the first and last key of the bookings that the run made; 0: none.
	firstID, lastID int64
	// newest is the newest booking or release among the published bookings that the run made.
	newest time.Time
	// versions are those of bookings that the run made.
	versions []engine.Version
	// slugs are those of the counties, by id; nil: not loaded yet.
	slugs map[int16]string
	// policed are the sources whose policy is loaded whole.
	policed map[string]bool
	// cases are court cases that say more or less of somebody's age than before.
	cases []int64
}

//go:embed sql/*.sql
var files embed.FS

// Family are the tables of bookings.
var Family = engine.NewFamily(engine.Family{
	Kind: models.Roster, Claims: "roster_claims", Records: "bookings", Key: "rid", ID: "id", Parts: []string{"booking_charges"},
}, sqlfile.Load(files))

// Reconcile brings one snapshot of a roster into the tables, in one transaction. The same snapshot twice changes
// nothing; an older one never takes back what a newer one said. Only a snapshot that is proven complete may lack
// anybody. A HeldError means that nothing was applied.
func Reconcile(ctx context.Context, on engine.Database, r snapshot.Reconciler,
	rows iter.Seq2[*snapshot.RosterRow, error],
) (snapshot.Applied, snapshot.Completeness, error) {
	ro, withheld := newRoster(), 0
	return engine.Reconcile(ctx, on, Family, r, incomingBookings(rows, &withheld), ro.steps(&withheld))
}

// newRoster returns a roster without a run. The first step sets the run.
func newRoster() *roster {
	return &roster{
		claims: map[resolve.ID]*resolve.BookingClaim{}, of: map[int64][]*resolve.BookingClaim{}, before: map[int64]*resolve.BookingRecord{},
		after: map[int64]*resolve.BookingState{}, diffs: map[int64][]resolve.Version{}, told: map[int64]bool{}, seen: map[int64]time.Time{},
		again:   map[string][]engine.Row[snapshot.RosterRow]{},
		rekeyed: map[string]int64{}, fresh: map[string]bool{}, joined: map[string]bool{}, policed: map[string]bool{}, unchanged: map[int64]int{},
		bonds: map[string]int{}, lead: map[int64]resolve.BookingClaim{}, split: map[string]*resolve.BookingClaim{}, pending: map[string]*resolve.BookingClaim{},
	}
}

// incomingBookings returns rows as they are staged, and counts in withheld those that speak of somebody who must not be
// shown. A release that names only a key has no county, name or time of booking to compare.
func incomingBookings(rows iter.Seq2[*snapshot.RosterRow, error], withheld *int) iter.Seq2[engine.Incoming, error] {
	return func(yield func(engine.Incoming, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(engine.Incoming{}, err)
				return
			}
			if r.Withheld != "" || resolve.StatesRestriction(r.Name) {
				*withheld++
			}
			r.SeenAt = resolve.Instant(r.SeenAt)
			r.Fingerprint = fingerprint(r)
			in := engine.Incoming{Line: r.Line, Key: r.Key, KeyOnly: r.KeyOnly, SaidAt: r.SeenAt, Fingerprint: r.Fingerprint, PersonKey: r.PersonKey, Row: r}
			if !r.KeyOnly {
				in.County, in.NameKey, in.DOB = r.CountyID, match.SearchKey(r.Name), r.DOB
				booked := resolve.Instant(r.BookedAt)
				in.BookedAt, in.EndedAt = &booked, r.ReleasedAt
			}
			if !yield(in, nil) {
				return
			}
		}
	}
}

// fingerprint returns the fingerprint of a row with what it says of the age: a row that speaks of a juvenile otherwise than
// before must be read, though no fact of it changed. A row without a fingerprint has none.
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

// start notes the policy of the source, which the runs of other sources need for bookings that both list.
// It is noted in each run, as the source document may have become another.
func (ro *roster) start(ctx context.Context) error {
	ro.policed[ro.SourceID] = true
	return ro.Do(ctx, "roster_policy", engine.Args{"source": ro.SourceID, "releases": ro.Releases, "window": ro.WindowDays})
}

// touchClaim notes that a claim may have become another, and with it its booking. Both are written at the end.
func (ro *roster) touchClaim(c *resolve.BookingClaim) {
	ro.claims[c.ID()] = c
	ro.Touch(c.Record)
}

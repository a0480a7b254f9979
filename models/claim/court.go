package claim

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// courtFamily are the tables of court cases. A run whose rows may concern bookings takes the lock of the roster first.
var courtFamily = newFamily(family{
	kind: models.Courts, claims: "court_claims", records: "court_cases", key: "id", id: "id", parts: []string{"hearings", "dispositions", "case_charges"}, first: "lock_roster",
}, noStatements)

// follower has the bookings follow that some cases concern, in the transaction of a session. by is what changed the cases.
type follower func(ctx context.Context, s *session, cases []int64, by origin) error

// reconcileCourts takes the rows of a court source into the tables. A row is one of a case, of one party, or of
// parts of it. What comes before its case waits as a claim without a record. bookings is called at the end, with the
// cases that say more of somebody's age than before, or less.
func reconcileCourts(ctx context.Context, on Database, rec snapshot.Reconciler, rows iter.Seq2[*snapshot.CourtRow, error], bookings follower) (snapshot.Applied, snapshot.Completeness, error) {
	k := &courtRun{removes: map[int64]bool{}, bookings: bookings}
	return reconcile(ctx, on, courtFamily, rec, courtIncoming(rows), k.steps())
}

// courtRun is a run of a court source.
type courtRun struct {
	*run
	waiting []waitingPart  // parts of which no case was known when they were read
	removes map[int64]bool // cases with rows that take hearings back
	changed []int64        // cases that are new, or whose evidence of age or booking number is another one

	bookings follower
}

// waitingPart is a row of parts that waits for its case.
type waitingPart struct {
	line int64
	snapshot.Parent
}

func (k *courtRun) steps() []step {
	on := func(do func(context.Context) error) func(context.Context, *run) error {
		return func(ctx context.Context, r *run) error {
			k.run = r
			return do(ctx)
		}
	}
	return []step{
		{
			name: "fold rows", needs: []string{staged, locked, matches, snapshots}, makes: []string{folded, touched},
			why: "rows become claims, and cases that nobody knew are made; one that speaks of another person is refused",
			do:  on(k.fold),
		},
		{
			name: "judge refused rows", needs: []string{folded}, makes: []string{judged},
			why: "too many refused rows prove that keys mean other people",
			do:  judgeRefused,
		},
		{
			name: "resolve", needs: []string{folded, touched}, makes: []string{records},
			why: "cases follow their claims",
			do:  on(k.resolve),
		},
		{
			name: "list waiting parts", needs: []string{folded},
			why: "a part of a case that nobody reported is no fact yet; those that waited for a case of this run are",
			do:  on(k.await),
		},
		{
			name: "bookings", needs: []string{records},
			why: "the booking that a case names with the birth of somebody under 17 is withheld",
			do:  on(k.follow),
		},
		{
			name: "note counties", needs: []string{staged},
			why: "freshness is asked of a county",
			do:  on(k.noteCounties),
		},
	}
}

// follow has the bookings follow that cases speak of which tell more of somebody's age, or less.
func (k *courtRun) follow(ctx context.Context) error {
	return k.bookings(ctx, k.session, k.changed, origin{run: k.RunID, source: k.SourceID})
}

func (k *courtRun) noteCounties(ctx context.Context) error {
	return k.do(ctx, "note_counties", args{"source": k.SourceID})
}

// courtIncoming are rows as they are staged.
func courtIncoming(rows iter.Seq2[*snapshot.CourtRow, error]) iter.Seq2[incoming, error] {
	return func(yield func(incoming, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(incoming{}, err)
				return
			}
			in := incoming{Line: r.Line, Key: caseKey(court.KeyOf(r)), County: r.CountyID, SaidAt: r.SeenAt, Row: r}
			if c := r.Case; c != nil && c.BirthYear != 0 && young(c) {
				in.Number = match.BookingNumber(c.BookingKey)
			}
			if r.Whole && r.Case != nil { // other rows say something together with those beside them
				in.Fingerprint = r.Fingerprint
			}
			if !yield(in, nil) {
				return
			}
		}
	}
}

// young reports whether somebody of whom a case tells the birth was under 17, or may have been, some time before.
func young(c *snapshot.CaseFacts) bool {
	began := models.Date{Year: c.Filed.Year - 2, Month: c.Filed.Month, Day: c.Filed.Day}
	if c.DOB != nil {
		return resolve.Minor(*c.DOB, began)
	}
	return began.Year-int(c.BirthYear) < 18
}

// caseKey is the key of a case's claims, the same for all sources. Numbers may have slashes, parties are escaped.
func caseKey(k snapshot.CaseKey) string {
	party := strings.NewReplacer("%", "%25", "/", "%2F").Replace(k.Party)
	return strconv.Itoa(int(k.CountyID)) + "/" + k.CourtType + "/" + party + "/" + k.Number
}

// everyParty is the key of the removals for all parties of a case.
func everyParty(k snapshot.CaseKey) snapshot.CaseKey {
	k.Party = court.EveryParty
	return k
}

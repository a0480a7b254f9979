package court

import (
	"context"
	"embed"
	"iter"
	"strconv"
	"strings"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/sqlfile"
	"rollcall/models/snapshot"
	"rollcall/resolve/court"
)

//go:embed sql/*.sql
var files embed.FS

// Family holds the tables of court cases. A run whose rows may concern bookings takes the lock of the roster first
// (engine.Session, Lock).
var Family = engine.NewFamily(engine.Family{
	Kind: models.Courts, Claims: "court_claims", Records: "court_cases", Key: "id", ID: "id",
	Parts: []string{"hearings", "dispositions", "case_charges"}, First: "lock_roster",
}, sqlfile.Load(files))

// Follower withholds or publishes the bookings that some cases concern, in the transaction of a session of the courts. cases
// are keys of cases, and by is what changed them.
type Follower func(ctx context.Context, s *engine.Session, cases []int64, by engine.Origin) error

// Reconcile takes the rows of a court source into the tables, in one transaction. A row is one of a case, of one party, or
// of parts of it. What comes before its case waits as a claim without a record. bookings is called at the end, with the
// cases that say more of somebody's age than before, or less. A HeldError means that nothing was applied.
func Reconcile(ctx context.Context, on engine.Database, rec snapshot.Reconciler, rows iter.Seq2[*snapshot.CourtRow, error],
	bookings Follower,
) (snapshot.Applied, snapshot.Completeness, error) {
	k := &courtRun{removes: map[int64]bool{}, bookings: bookings}
	return engine.Reconcile(ctx, on, Family, rec, incoming(rows), k.steps())
}

// courtRun is a run of a court source.
type courtRun struct {
	*engine.Run
	// waits is set where no case was known of some parts when they were read. It may come later in the same run.
	waits bool
	// removes are the cases with rows that take hearings back, for the count in the report.
	removes map[int64]bool
	// changed are the cases that are new, or whose evidence of age or booking number changed: bookings may have to follow.
	changed []int64

	bookings Follower
}

// steps returns the steps of a court's snapshot. Courts have no absences: a case that a file lacks is not over.
func (k *courtRun) steps() []engine.Step {
	on := func(do func(context.Context) error) func(context.Context, *engine.Run) error {
		return func(ctx context.Context, r *engine.Run) error {
			k.Run = r
			return do(ctx)
		}
	}
	return []engine.Step{
		{
			Name: "turnover", Needs: []string{engine.Staged, engine.Locked, engine.Matches}, Makes: []string{engine.JudgedKeys},
			Why: "cases of known people under new numbers would be reported as new ones",
			Do:  on(k.turnover),
		},
		{
			Name: "fold rows", Needs: []string{engine.Matches, engine.Snapshots, engine.JudgedKeys}, Makes: []string{engine.Folded},
			Why: "rows become claims, and cases that nobody knew are made; one that speaks of another person is refused",
			Do:  on(k.fold),
		},
		{
			Name: "judge refused rows", Needs: []string{engine.Folded}, Makes: []string{engine.Completed},
			Why: "too many refused rows prove that keys mean other people",
			Do:  engine.JudgeRefused,
		},
		{
			Name: "resolve", Needs: []string{engine.Folded, engine.Completed}, Makes: []string{engine.Records},
			Why: "cases follow their claims",
			Do:  on(k.resolve),
		},
		{
			Name: "mass change", Needs: []string{engine.Records}, Makes: []string{engine.Judged},
			Why: "implausibly many changes of one kind hold the snapshot",
			Do:  on(k.judge),
		},
		{
			Name: "count pending rows", Needs: []string{engine.Folded},
			Why: "a part of a case that nobody reported is no fact yet",
			Do:  on(k.countPending),
		},
		{
			Name: "bookings", Needs: []string{engine.Records},
			Why: "the booking that a case names with the birth of somebody under 17 is withheld",
			Do:  on(k.follow),
		},
		{
			Name: "note counties", Needs: []string{engine.Staged},
			Why: "freshness is asked of a county",
			Do:  engine.NoteCounties,
		},
	}
}

// follow has bookings follow the cases of the run that say more of somebody's age than before, or less.
// By then each case is as it will be committed.
func (k *courtRun) follow(ctx context.Context) error {
	return k.bookings(ctx, k.Session, k.changed, engine.Origin{Run: k.RunID, Source: k.SourceID})
}

// incoming returns rows as they are staged. A row that may withhold a booking carries the booking's number, by which the run
// knows that it must lock the roster. Only a row of a whole case has a fingerprint: other rows say something together with
// those beside them, so they are always read.
func incoming(rows iter.Seq2[*snapshot.CourtRow, error]) iter.Seq2[engine.Incoming, error] {
	return func(yield func(engine.Incoming, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(engine.Incoming{}, err)
				return
			}
			in := engine.Incoming{Line: r.Line, Key: caseKey(court.KeyOf(r)), County: r.CountyID, SaidAt: r.SeenAt, Row: r}
			if c := r.Case; c != nil {
				in.NameKey = match.SearchKey(c.Defendant)
				if c.Filed != (models.Date{}) {
					filed := c.Filed.In(time.UTC)
					in.BookedAt = &filed
				}
				// The year is set whenever a birth is stated.
				if c.BirthYear != 0 && court.MinorBefore(c.Filed, c.DOB, c.BirthYear) {
					in.Number = match.BookingNumber(c.BookingKey)
				}
			}
			if r.Whole && r.Case != nil {
				in.Fingerprint = r.Fingerprint
			}
			if !yield(in, nil) {
				return
			}
		}
	}
}

// caseKey returns the key of a case's claims, the same for all sources: county/court/party/number. The number comes last as
// it may have slashes; the party is escaped.
// Claims of one case have one key at every source, so parts that one clerk reports find the case of another.
func caseKey(k snapshot.CaseKey) string {
	party := strings.NewReplacer("%", "%25", "/", "%2F").Replace(k.Party)
	return strconv.Itoa(int(k.CountyID)) + "/" + k.CourtType + "/" + party + "/" + k.Number
}

// everyParty returns the key of the removals for all parties of a case: a court that takes a hearing back may name no party.
func everyParty(k snapshot.CaseKey) snapshot.CaseKey {
	k.Party = court.EveryParty
	return k
}

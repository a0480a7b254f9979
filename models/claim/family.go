package claim

import (
	"context"
	"embed"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/claim/internal/court"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/claim/internal/offender"
	"rollcall/models/claim/internal/roster"
	"rollcall/models/db/joint"
	"rollcall/models/db/sqlfile"
	"rollcall/resolve"
)

//go:embed sql/*.sql
var files embed.FS

// statements are those of operators' actions. A family's tables stand for {claims}, {records}, {key} and {id}.
var statements = sqlfile.Load(files)

// family is what operators' actions and a rebuild need of a family.
type family struct {
	*engine.Family
	// anew resolves records from their claims and decisions, writes what became another, and returns what did.
	anew func(ctx context.Context, s *engine.Session, records []int64) ([]Change, error)
	// because returns the other record on whose account a record is withheld, or would be if an operator had not published
	// it; nil: its own claims say so. A family whose records are withheld for nothing else has none.
	because func(ctx context.Context, s *engine.Session, record int64) (*resolve.Ref, error)
	merging merging
	// withheldBy is the statement that stores a decision about a record for those that are withheld on its account; empty: they
	// follow from what the record becomes.
	withheldBy string
	// first is the family whose lock is taken before that of this one, because its records follow those of this one; nil: none.
	first *engine.Family
	// follow has records of the first family follow some records of this one, by what changed these.
	follow func(ctx context.Context, s *engine.Session, records []int64, by engine.Origin) error
}

// families are those whose records are resolved from claims.
var families = map[models.Family]family{
	models.Roster: {
		Family: roster.Family.With(statements), anew: roster.Resolve, because: roster.Because,
		merging: merging{find: "find_booking", gone: "gone_booking", others: []string{
			"merge_booking_links", "drop_booking_links", "merge_booking_case_links", "drop_booking_case_links",
		}},
	},
	models.Courts: {
		Family: court.Family.With(statements), anew: court.Resolve, because: court.Because,
		merging: merging{find: "find_case", gone: "gone_case", others: []string{
			"merge_case_hearings", "merge_case_links", "drop_case_links",
		}},
		withheldBy: "decide_on_bookings_of_case", first: roster.Family, follow: roster.FollowCases,
	},
	models.Corrections: {
		Family: offender.Family.With(statements), anew: offender.Resolve,
		merging: merging{find: "find_offender", gone: "gone_offender", others: []string{
			"merge_offender_booking_links", "merge_offender_case_links", "drop_offender_case_links",
		}},
	},
}

// action is a transaction in which records of a family become others without a snapshot.
type action struct {
	*engine.Session
	of family
	// rows reads and writes single rows, in the same transaction.
	rows *gorm.DB
}

// action opens an action in a transaction. The family must be one of families.
func (s *Store) action(tx *joint.Tx, kind models.Family) *action {
	of := families[kind]
	return &action{engine.Open(s.db, tx.Pgx(), of.Family, s.db.Now()), of, tx.Gorm()}
}

// Lock takes the lock of the family. That of the roster comes before that of the courts, as in a run of a roster.
func (s *action) Lock(ctx context.Context) error {
	if s.of.first != nil {
		if err := s.Other(s.of.first).Lock(ctx); err != nil {
			return err
		}
	}
	return s.Session.Lock(ctx)
}

// resolve resolves records anew, writes what became another, and returns what did. Bookings follow cases in the same
// transaction: an operator's action would else leave a juvenile's booking public until somebody rebuilds it.
func (s *action) resolve(ctx context.Context, records ...int64) ([]Change, error) {
	changes, err := s.of.anew(ctx, s.Session, records)
	if err != nil || s.of.follow == nil {
		return changes, err
	}
	return changes, s.of.follow(ctx, s.Session, records, engine.Origin{})
}

package claim

import (
	"context"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/resolve"
)

// acting is what operators' actions and a rebuild need of a family.
type acting struct {
	on *family
	// anew resolves records from their claims and decisions, writes what became another, and returns what did.
	anew func(ctx context.Context, s *session, records []int64) ([]Change, error)
	// because returns the other record on whose account a record is withheld, or would be if an operator had not published
	// it; nil: its own claims say so. A family whose records are withheld for nothing else has none.
	because func(ctx context.Context, s *session, record int64) (*resolve.Ref, error)
}

// families are those whose records are resolved from claims.
var families = map[models.Family]acting{
	models.Roster:      {rosterFamily.with(noStatements), bookingsAnew, becauseOfBooking},
	models.Courts:      {courtFamily.with(noStatements), resolveCases, becauseOfCase},
	models.Corrections: {offenderFamily.with(noStatements), resolveOffendersAnew, nil},
}

// action is a transaction in which records of a family become others without a snapshot.
type action struct {
	*session
	acting
}

func (s *Store) action(tx pgx.Tx, kind models.Family) *action {
	f := families[kind]
	return &action{openSession(s.db, tx, f.on, s.db.Now()), f}
}

// resolve resolves records anew.
func (a *action) resolve(ctx context.Context, records ...int64) ([]Change, error) {
	return a.anew(ctx, a.session, records)
}

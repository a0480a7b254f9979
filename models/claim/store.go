package claim

import (
	"context"
	"iter"

	"github.com/jackc/pgx/v5"

	"rollcall/models/claim/internal/court"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/claim/internal/offender"
	"rollcall/models/claim/internal/roster"
	"rollcall/models/snapshot"
)

// Database is what the package takes of the database: transactions, and the clock.
type Database = engine.Database

// Change is what resolving a record anew made of it.
type Change = engine.Change

// Store takes snapshots and the decisions of operators into the tables. It is safe for concurrent use.
type Store struct{ db Database }

// New makes a store on a database.
func New(db Database) *Store { return &Store{db} }

// ReconcileRoster brings one snapshot of a roster into the tables, in one transaction. The same snapshot twice changes
// nothing; an older one never takes back what a newer one said. Only a snapshot that the verdict calls complete may miss
// anybody. A HeldError means that nothing was applied.
func (s *Store) ReconcileRoster(ctx context.Context, r snapshot.Reconciler, rows iter.Seq2[*snapshot.RosterRow, error]) (snapshot.Applied, snapshot.Completeness, error) {
	return roster.Reconcile(ctx, s.db, r, rows)
}

// ImportBookings takes bookings of another system over with their ids, in one transaction. What is known by id stays as
// it is, so a second import changes nothing. New ids of a county and year go on above the highest.
func (s *Store) ImportBookings(ctx context.Context, r snapshot.Reconciler, rows iter.Seq2[*snapshot.ImportedBooking, error]) (snapshot.Applied, error) {
	return roster.Import(ctx, s.db, r, rows)
}

// ReconcileCourts takes the rows of a court source into the tables. A row is one of a case, of one party, or of
// parts of it. What comes before its case waits as a claim without a record.
func (s *Store) ReconcileCourts(ctx context.Context, r snapshot.Reconciler, rows iter.Seq2[*snapshot.CourtRow, error]) (snapshot.Applied, snapshot.Completeness, error) {
	return court.Reconcile(ctx, s.db, r, rows, roster.FollowCases)
}

// ReconcileCorrections brings the records of a corrections source into the tables.
func (s *Store) ReconcileCorrections(ctx context.Context, r snapshot.Reconciler, rows iter.Seq2[*snapshot.CorrectionsRow, error]) (snapshot.Applied, snapshot.Completeness, error) {
	return offender.Reconcile(ctx, s.db, r, rows)
}

// FollowBookings withholds, in a transaction of the caller, the cases that speak of those of some bookings that are withheld
// as juveniles', and lets go those that spoke of no other: an operator joined a case and a booking, or told them apart.
func (s *Store) FollowBookings(ctx context.Context, tx pgx.Tx, bookings []int64) error {
	return court.FollowBookings(ctx, engine.Open(s.db, tx, court.Family, s.db.Now()), bookings, engine.Origin{})
}

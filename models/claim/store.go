package claim

import (
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"

	"rollcall/models/claim/internal/court"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/claim/internal/offender"
	"rollcall/models/claim/internal/roster"
	"rollcall/models/db/joint"
	"rollcall/models/snapshot"
)

// Database is what the package takes of the database: transactions, and the clock. *db.DB is one.
type Database interface {
	InTx(ctx context.Context, fn func(tx pgx.Tx) error) error
	Now() time.Time
	Pool() *pgxpool.Pool
	AskMatch(ctx context.Context, tx pgx.Tx) error
	// Gorm reads rows outside of transactions.
	Gorm() *gorm.DB
	// Joint is InTx for a transaction that GORM and pgx share.
	Joint(ctx context.Context, fn func(tx *joint.Tx) error) error
}

// Change is what resolving a record anew made of it, in a rebuild.
type Change = engine.Change

// Store takes snapshots and the decisions of operators into the tables. It is safe for concurrent use.
type Store struct{ db database }

// Needs is what a Store takes from other packages, which it does not import.
type Needs struct {
	// News reads what batches of changes have watchers notified of, in the transaction that wrote them. Nil: a rehearsal
	// says nothing of it.
	News func(ctx context.Context, tx pgx.Tx, batches []int64) (snapshot.News, error)
}

// database is what the families take of the database.
type database struct {
	Database
	needs Needs
}

// News is Needs.News.
func (d database) News(ctx context.Context, tx pgx.Tx, batches []int64) (snapshot.News, error) {
	if d.needs.News == nil || len(batches) == 0 {
		return snapshot.News{}, nil
	}
	return d.needs.News(ctx, tx, batches)
}

// New makes a store on a database.
func New(db Database, needs Needs) *Store { return &Store{database{db, needs}} }

// ReconcileRoster brings one snapshot of a roster into the tables, in one transaction. The same snapshot twice changes
// nothing; an older one never takes back what a newer one said. Only a snapshot that is proven complete may lack
// anybody. A HeldError means that nothing was applied.
func (s *Store) ReconcileRoster(ctx context.Context, r snapshot.Reconciler,
	rows iter.Seq2[*snapshot.RosterRow, error],
) (snapshot.Applied, snapshot.Completeness, error) {
	return roster.Reconcile(ctx, s.db, r, rows)
}

// ImportBookings takes bookings of another system over with their ids, in one transaction. A booking that is known by its id
// stays as it is, so a second import changes nothing. New ids of a county and year go on above the highest.
func (s *Store) ImportBookings(ctx context.Context, r snapshot.Reconciler, rows iter.Seq2[*snapshot.ImportedBooking, error]) (snapshot.Applied, error) {
	return roster.Import(ctx, s.db, r, rows)
}

// ReconcileCourts takes the rows of a court source into the tables, in one transaction. A row is one of a case, of one party,
// or of parts of it. What comes before its case waits as a claim without a record. Bookings that the cases concern follow
// them in the same transaction. A HeldError means that nothing was applied.
func (s *Store) ReconcileCourts(ctx context.Context, r snapshot.Reconciler,
	rows iter.Seq2[*snapshot.CourtRow, error],
) (snapshot.Applied, snapshot.Completeness, error) {
	return court.Reconcile(ctx, s.db, r, rows, roster.FollowCases)
}

// ReconcileCorrections brings the rows of a corrections source into the tables, in one transaction. A record that complete
// files lack is hidden, never released. A HeldError means that nothing was applied.
func (s *Store) ReconcileCorrections(ctx context.Context, r snapshot.Reconciler,
	rows iter.Seq2[*snapshot.CorrectionsRow, error],
) (snapshot.Applied, snapshot.Completeness, error) {
	return offender.Reconcile(ctx, s.db, r, rows)
}

// LockRoster takes the lock of the bookings in a transaction of the caller, which calls FollowLink later. It comes before all
// other locks of that transaction.
func (s *Store) LockRoster(ctx context.Context, tx pgx.Tx) error {
	return engine.Open(s.db, tx, roster.Family, s.db.Now()).Lock(ctx)
}

// FollowLink resolves who is withheld after an operator joined a case and a booking, or dismissed the link between them: a
// case that names a juvenile's booking is withheld with it, and a booking of which a case says that the person is under 17 is
// too. It needs LockRoster. kase and booking are keys.
func (s *Store) FollowLink(ctx context.Context, tx pgx.Tx, kase, booking int64) error {
	t := engine.Open(s.db, tx, court.Family, s.db.Now())
	if err := court.FollowBookings(ctx, t, []int64{booking}, engine.Origin{}); err != nil {
		return err
	}
	return roster.FollowCases(ctx, t, []int64{kase}, engine.Origin{})
}

package engine

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Database is what the package takes of the database: transactions, and the clock.
type Database interface {
	// InTx runs fn in one transaction without a statement time-out: all of it is kept, or none.
	InTx(ctx context.Context, fn func(tx pgx.Tx) error) error
	// Now is the clock of the service, which tests set.
	Now() time.Time
	// Pool reads outside of transactions.
	Pool() *pgxpool.Pool
	// AskMatch asks for the changes of a transaction to be matched against the watchers.
	AskMatch(ctx context.Context, tx pgx.Tx) error
	// News reads what batches of changes have watchers notified of, in the transaction that wrote them.
	News(ctx context.Context, tx pgx.Tx, batches []int64) (snapshot.News, error)
}

// Session is one transaction of a family. It runs the named statements of the family (Family.Statements) with named
// arguments; errors are wrapped with the statement's name. It is not safe for concurrent use.
type Session struct {
	// Tx is the transaction, for what is not a named statement.
	Tx     pgx.Tx
	Family models.Family
	// Gen is the generation that changed rows carry; 0: the family is not locked yet.
	Gen int64
	// Now is when the transaction began, as the database keeps it.
	Now time.Time
	// Rebuild says that a rule changed and nothing happened to anybody: watchers are notified only of what must be taken back.
	Rebuild bool

	db      Database
	of      *Family
	sources map[string]*resolve.Policy // by id, as far as they were looked up
	batches *[]int64                   // those of changes that the transaction began, of all its families
}

// Open opens a session in a transaction, which the caller commits or rolls back. It locks nothing.
func Open(db Database, tx pgx.Tx, of *Family, now time.Time) *Session {
	return &Session{db: db, Tx: tx, of: of, Family: of.Kind, sources: map[string]*resolve.Policy{}, batches: new([]int64), Now: resolve.Instant(now)}
}

// Other opens a session of another family in the same transaction and at the same instant. It has a lock of its own to take.
func (s *Session) Other(of *Family) *Session {
	t := Open(s.db, s.Tx, of, s.Now)
	t.Rebuild, t.batches = s.Rebuild, s.batches
	return t
}

// Args are the named arguments of a statement.
type Args = pgx.NamedArgs

// Exec runs a statement and returns the number of rows that it touched.
func (s *Session) Exec(ctx context.Context, name string, a Args) (int, error) {
	tag, err := s.Tx.Exec(ctx, s.of.statements.Get(name), a)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return int(tag.RowsAffected()), nil
}

// Do runs a statement whose result does not matter.
func (s *Session) Do(ctx context.Context, name string, a Args) error {
	_, err := s.Exec(ctx, name, a)
	return err
}

// One reads the only row of a statement. The error wraps pgx.ErrNoRows where there is none.
func (s *Session) One(ctx context.Context, name string, a Args, into ...any) error {
	if err := s.Tx.QueryRow(ctx, s.of.statements.Get(name), a).Scan(into...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Query begins to read the rows of a statement. The caller reads or closes them before the next statement.
func (s *Session) Query(ctx context.Context, name string, a Args) (pgx.Rows, error) {
	return s.Tx.Query(ctx, s.of.statements.Get(name), a)
}

// Each scans the rows of a statement into the same variables, one by one, and calls do after each. do must copy what it keeps
// and must not run another statement.
func (s *Session) Each(ctx context.Context, name string, a Args, into []any, do func() error) error {
	rows, err := s.Query(ctx, name, a)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := pgx.ForEachRow(rows, into, do); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Lock takes the family's lock for the rest of the transaction, and with it the next generation (Gen). Writers of a family
// commit in the order of its generations, which is what caches and the list index follow. A second call does nothing.
//
// A transaction that writes two families takes the lock of the roster before that of the courts. Else two could wait for
// each other.
func (s *Session) Lock(ctx context.Context) error {
	if s.Gen != 0 {
		return nil
	}
	return s.One(ctx, "next_generation", Args{"family": s.Family}, &s.Gen)
}

// Copy streams rows into a table. They are encoded while those before them are sent. An error of rows ends it.
func (s *Session) Copy(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) error {
	_, err := db.Copy(ctx, s.Tx, table, columns, rows)
	return err
}

// Began notes a batch of changes, so that a rehearsal can say whom they would reach.
func (s *Session) Began(batch int64) { *s.batches = append(*s.batches, batch) }

// AskMatch asks for the changes of the transaction to be matched against the watchers.
func (s *Session) AskMatch(ctx context.Context) error { return s.db.AskMatch(ctx, s.Tx) }

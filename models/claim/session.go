package claim

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/resolve"
)

// Database is what the package takes of the database: transactions, and the clock.
type Database interface {
	// InTx runs fn in one transaction without a statement time-out: all of it is kept, or none.
	InTx(ctx context.Context, fn func(tx pgx.Tx) error) error
	Now() time.Time
	// Pool reads outside of transactions.
	Pool() *pgxpool.Pool
	// AskMatch asks for the changes of a transaction to be matched against the watchers.
	AskMatch(ctx context.Context, tx pgx.Tx) error
}

// session is one transaction of a family. All of its statements are named ones.
type session struct {
	tx      pgx.Tx
	family  models.Family
	gen     int64     // of the family; 0: nothing was locked yet
	now     time.Time // when the transaction began
	rebuild bool      // a rule changed: nothing happened to anybody, so only what must be taken back is told

	db      Database
	of      *family
	sources map[string]*source // by id, as far as they were looked up
}

// openSession opens a session in a transaction.
func openSession(db Database, tx pgx.Tx, of *family, now time.Time) *session {
	return &session{db: db, tx: tx, of: of, family: of.kind, sources: map[string]*source{}, now: resolve.Instant(now)}
}

// other opens a session of another family in the same transaction.
func (s *session) other(of *family) *session { return openSession(s.db, s.tx, of, s.now) }

// args are the named arguments of a statement.
type args = pgx.NamedArgs

// exec runs a statement and gives the number of rows that it touched.
func (s *session) exec(ctx context.Context, name string, a args) (int, error) {
	tag, err := s.tx.Exec(ctx, s.of.statements.Get(name), a)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return int(tag.RowsAffected()), nil
}

// do runs a statement.
func (s *session) do(ctx context.Context, name string, a args) error {
	_, err := s.exec(ctx, name, a)
	return err
}

// one reads the only row of a statement.
func (s *session) one(ctx context.Context, name string, a args, into ...any) error {
	if err := s.tx.QueryRow(ctx, s.of.statements.Get(name), a).Scan(into...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// query begins to read the rows of a statement.
func (s *session) query(ctx context.Context, name string, a args) (pgx.Rows, error) {
	return s.tx.Query(ctx, s.of.statements.Get(name), a)
}

// each reads the rows of a statement one by one.
func (s *session) each(ctx context.Context, name string, a args, into []any, do func() error) error {
	rows, err := s.query(ctx, name, a)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := pgx.ForEachRow(rows, into, do); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// lock takes the family's lock for the rest of the transaction, with the generation that changed rows carry.
// Writers of a family commit in the order of its generations.
func (s *session) lock(ctx context.Context) error {
	if s.gen != 0 {
		return nil
	}
	return s.one(ctx, "next_generation", args{"family": s.family}, &s.gen)
}

// copy streams rows into a table. They are encoded while those before them are sent.
func (s *session) copy(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) error {
	_, err := db.Copy(ctx, s.tx, table, columns, rows)
	return err
}

// askMatch asks for the changes of the transaction to be matched against the watchers.
func (s *session) askMatch(ctx context.Context) error { return s.db.AskMatch(ctx, s.tx) }
